// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/case_graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace cresset::tests {

using data::HostTensor;
using data::HostValue;
using ops::SchemaArg;
using ops::TypeTag;

namespace {

ir::TensorType type_of(const HostTensor& tensor) {
  ir::TensorType type;
  type.dtype = tensor.dtype();
  type.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  if (!tensor.is_row_major()) {
    type.dim_order = tensor.dim_order();
  }
  return type;
}

// The number that a tensor of one element holds, which PyTorch takes in a number's place.
ir::Argument number_in(const HostTensor& tensor) {
  if (is_floating(tensor.dtype())) {
    return *tensor.converted(DType::kFloat64).data<double>();
  }
  const int64_t integer = *tensor.converted(DType::kInt64).data<int64_t>();
  return tensor.dtype() == DType::kBool ? ir::Argument(integer != 0) : ir::Argument(integer);
}

int64_t memory_format_number(const std::string& name) {
  constexpr const char* kNames[] = {"contiguous_format", "preserve_format", "channels_last",
                                    "channels_last_3d"};
  return std::find(std::begin(kNames), std::end(kNames), name) - std::begin(kNames);
}

}  // namespace

Error CaseGraph::add(const ops::OpInfo& op, bool in_place, const data::OperatorCase& call,
                     const std::map<size_t, ir::Value*>& bound) {
  const ops::Schema& schema = op.schema;
  if (call.args.size() > schema.arg_count) {
    return invalid(fmt::format("{} arguments, the schema has {}", call.args.size(),
                               static_cast<int>(schema.arg_count)));
  }
  std::vector<const HostValue*> given(schema.arg_count, nullptr);
  for (size_t i = 0; i < call.args.size(); ++i) {
    given[i] = &call.args[i];
  }
  for (const auto& [name, value] : call.kwargs) {
    const int at = schema.find(name);
    if (at < 0) {
      return invalid(fmt::format("the schema has no argument '{}'", name));
    }
    given[static_cast<size_t>(at)] = &value;
  }
  std::vector<ir::Argument> args;
  for (size_t i = 0; i < schema.arg_count; ++i) {
    const SchemaArg& arg = schema.args[i];
    if (given[i] == nullptr && bound.count(i) == 0 && arg.default_text.empty() && !arg.optional) {
      return invalid(fmt::format("argument '{}' is required", arg.name));
    }
    arg_ = i;
    const auto taken = bound.find(i);
    args.push_back(taken != bound.end()  ? ir::Argument(taken->second)
                   : given[i] == nullptr ? ir::default_argument(arg)
                                         : argument(arg, *given[i]));
    if (!error_.ok()) {
      return invalid(fmt::format("argument '{}' {}", arg.name, error_.text));
    }
  }
  // What the operator writes is a tensor of the graph, whose size may change.
  for (size_t i = 0; i < args.size(); ++i) {
    const bool writes = schema.args[i].writes || (in_place && i == 0);
    if (writes && args[i].is_value()) {
      const ir::Type type = args[i].value()->type;
      args[i] = graph->add_node(ops::Op::clone, {args[i]}, {type})->result();
    }
  }
  ir::Node* const node = graph->add_node(op, std::move(args), result_types(schema, call));
  node->in_place = in_place;
  for (size_t i = 0; i < node->results().size(); ++i) {
    const bool left_out = i < call.outs.size() && call.outs[i].is_none();
    graph->outputs.push_back(left_out ? ir::Argument() : ir::Argument(node->result(i)));
  }
  return Error();
}

ir::Argument CaseGraph::fail(std::string why) {
  error_ = invalid(std::move(why));
  return {};
}

ir::Argument CaseGraph::tensor_argument(const HostTensor& tensor) {
  ir::TensorType type = type_of(tensor);
  input_args.push_back(arg_);
  inputs.emplace_back(ir::make_constant("", type, tensor.bytes().data(), tensor.size_bytes()));
  return graph->add_input(fmt::format("input{}", inputs.size()), ir::Type::of(std::move(type)));
}

ir::Argument CaseGraph::item(const SchemaArg& arg, const HostValue& value) {
  if (const auto* tensor = value.get<HostTensor>()) {
    if (arg.type == TypeTag::kTensor) {
      return tensor_argument(*tensor);
    }
    const bool real = is_floating(tensor->dtype()) || is_integral(tensor->dtype());
    return tensor->numel() == 1 && real ? number_in(*tensor) : fail("is no number");
  }
  if (value.is_none()) {
    return {};
  }
  if (const auto* flag = value.get<bool>()) {
    return *flag;
  }
  if (const auto* integer = value.get<int64_t>()) {
    return *integer;
  }
  if (const auto* real = value.get<double>()) {
    return *real;
  }
  if (const auto* text = value.get<std::string>()) {
    return *text;
  }
  if (const auto* dtype = value.get<DType>()) {
    return *dtype;
  }
  if (const auto* format = value.get<data::MemoryFormatName>()) {
    return memory_format_number(format->name);
  }
  return fail("is a " + data::describe(value));
}

ir::Argument CaseGraph::argument(const SchemaArg& arg, const HostValue& value) {
  const auto* list = value.get<HostValue::List>();
  if (list == nullptr) {
    // A lone value stands for list_length equal ones.
    return arg.list && !value.is_none()
               ? ir::Argument(
                     ir::ArgumentList(std::max<size_t>(arg.list_length, 1), item(arg, value)))
               : item(arg, value);
  }
  if (!arg.list) {
    return fail("is a list");
  }
  ir::ArgumentList items;
  for (const HostValue& each : *list) {
    items.push_back(item(arg, each));
  }
  return items;
}

// As an exported graph records them. A call that must be refused has no results: they get the
// type of the first tensor.
std::vector<ir::Type> CaseGraph::result_types(const ops::Schema& schema,
                                              const data::OperatorCase& call) {
  std::vector<ir::Type> types;
  const ir::Type first = graph->inputs.empty() ? ir::Type::of({}) : graph->inputs[0].value->type;
  if (call.expect.error) {
    types.assign(schema.return_count, first);
    return types;
  }
  for (const HostValue& out : call.outs) {
    if (const auto* tensor = out.get<HostTensor>()) {
      types.push_back(ir::Type::of(type_of(*tensor)));
      continue;
    }
    ir::Type type = ir::Type::of_int(ir::Dim::unknown("result"));
    type.kind = out.is<double>() ? ir::Type::Kind::kFloat
                : out.is<bool>() ? ir::Type::Kind::kBool
                : out.is_none()  ? ir::Type::Kind::kTensor
                                 : ir::Type::Kind::kInt;
    types.push_back(std::move(type));
  }
  return types;
}

HostValue host_value(const eval::Datum& datum) {
  if (const ir::ConstantPtr& tensor = eval::tensor_of(datum)) {
    std::vector<int32_t> sizes;
    for (const ir::Dim& size : tensor->type.sizes) {
      sizes.push_back(static_cast<int32_t>(size.known().value_or(-1)));
    }
    HostTensor host(tensor->type.dtype, std::move(sizes), tensor->type.dim_order);
    if (tensor->size_bytes == host.size_bytes() && tensor->size_bytes != 0) {
      std::memcpy(host.mutable_bytes().data(), tensor->bytes, tensor->size_bytes);
    }
    return {std::move(host)};
  }
  if (const auto* number = std::get_if<Scalar>(&datum)) {
    return number->is_double()                     ? HostValue{number->to_double()}
           : number->kind() == Scalar::Kind::kBool ? HostValue{number->to_bool()}
                                                   : HostValue{number->to_int()};
  }
  if (const auto* text = std::get_if<std::string>(&datum)) {
    return {*text};
  }
  return {};
}

}  // namespace cresset::tests
