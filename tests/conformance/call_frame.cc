// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/call_frame.h"

#include <fmt/core.h>

#include <charconv>
#include <cstring>

#include "ops/promotion.h"

namespace cresset::tests {
using data::HostTensor;
using data::HostValue;
using ops::SchemaArg;
using ops::TypeTag;

namespace {

constexpr uint8_t kPoison = 0xa5;

// A default as schemas write it.
std::optional<HostValue> parse_default(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  if (text == "None") {
    return HostValue{};
  }
  if (text == "True" || text == "False") {
    return HostValue{text == "True"};
  }
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) {
    return HostValue{std::string(text.substr(1, text.size() - 2))};
  }
  if (text.front() == '[') {
    HostValue::List list;
    size_t at = 1;
    while (at < text.size() && text[at] != ']') {
      const size_t end = text.find_first_of(",]", at);
      if (auto item = parse_default(text.substr(at, end - at))) {
        list.push_back(*std::move(item));
      }
      at = end == std::string_view::npos || text[end] == ']' ? text.size() : end + 1;
      at = std::min(text.find_first_not_of(' ', at), text.size());
    }
    return HostValue{std::move(list)};
  }
  int64_t integer = 0;
  const char* const end = text.data() + text.size();
  if (const auto [at, code] = std::from_chars(text.data(), end, integer);
      code == std::errc() && at == end) {
    return HostValue{integer};
  }
  double real = 0;
  if (const auto [at, code] = std::from_chars(text.data(), end, real);
      code == std::errc() && at == end) {
    return HostValue{real};
  }
  if (text == "Mean") {  // at::Reduction
    return HostValue{int64_t{1}};
  }
  return HostValue{std::string(text)};
}

int64_t memory_format_number(const std::string& name) {
  constexpr const char* kNames[] = {"contiguous_format", "preserve_format", "channels_last",
                                    "channels_last_3d"};
  for (int64_t i = 0; i < 4; ++i) {
    if (name == kNames[i]) {
      return i;
    }
  }
  return -1;
}

// None, numbers and texts; nothing where the value is something else.
std::optional<Value> plain_value(const HostValue& value) {
  if (value.is_none()) {
    return Value();
  }
  if (const auto* flag = value.get<bool>()) {
    return Value::of_bool(*flag);
  }
  if (const auto* integer = value.get<int64_t>()) {
    return Value::of_int(*integer);
  }
  if (const auto* real = value.get<double>()) {
    return Value::of_double(*real);
  }
  if (const auto* dtype = value.get<DType>()) {
    return Value::of_int(static_cast<int64_t>(*dtype));
  }
  if (const auto* format = value.get<data::MemoryFormatName>()) {
    return Value::of_int(memory_format_number(format->name));
  }
  return std::nullopt;
}

bool is_real_number(DType dtype) { return is_floating(dtype) || is_integral(dtype); }

Value number_of(const HostTensor& tensor) {
  if (is_floating(tensor.dtype())) {
    return Value::of_double(*tensor.converted(DType::kFloat64).data<double>());
  }
  const int64_t integer = *tensor.converted(DType::kInt64).data<int64_t>();
  return tensor.dtype() == DType::kBool ? Value::of_bool(integer != 0) : Value::of_int(integer);
}

}  // namespace

Value* CallFrame::add_value(Value value) { return &value_room_.emplace_back(value); }

Tensor* CallFrame::add_tensor(const HostTensor& tensor, size_t arg) {
  HostTensor& copy = tensors_.emplace_back(tensor);
  sources_.push_back({&tensor, &copy, arg, op_.schema.args[arg].writes});
  return &views_.emplace_back(copy.view());
}

Error CallFrame::bind(const data::OperatorCase& call) {
  const ops::Schema& schema = op_.schema;
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
    if (at < 0 && name != "out") {
      return invalid(fmt::format("the schema has no argument '{}'", name));
    }
    if (at >= 0) {
      given[static_cast<size_t>(at)] = &value;
    }
  }
  value_of_arg_.assign(schema.arg_count, -1);
  for (size_t i = 0; i < schema.arg_count; ++i) {
    const SchemaArg& arg = schema.args[i];
    if (schema.is_tensor_option(i)) {
      const auto* dtype = given[i] == nullptr ? nullptr : given[i]->get<DType>();
      if (arg.type == TypeTag::kDType && dtype != nullptr) {
        option_ = *dtype;
      }
      continue;
    }
    if (arg.type == TypeTag::kGenerator) {
      continue;
    }
    Error error;
    if (given[i] != nullptr) {
      error = bind_arg(i, *given[i]);
    } else if (const auto otherwise = parse_default(arg.default_text)) {
      error = bind_arg(i, *otherwise);
    } else {
      error = invalid("is required");
    }
    if (!error.ok()) {
      return invalid(fmt::format("argument '{}' {}", arg.name, error.text));
    }
  }
  first_out_ = values_.size();
  return Error();
}

Error CallFrame::bind_arg(size_t i, const HostValue& value) {
  const SchemaArg& arg = op_.schema.args[i];
  Value bound;
  const auto plain = plain_value(value);
  if (const auto* list = value.get<HostValue::List>(); list != nullptr && arg.list) {
    if (Error error = bind_list(i, *list, &bound); !error.ok()) {
      return error;
    }
  } else if (arg.list && !value.is_none()) {
    // A lone value stands for list_length equal ones.
    const HostValue::List repeated(std::max<size_t>(arg.list_length, 1), value);
    if (Error error = bind_list(i, repeated, &bound); !error.ok()) {
      return error;
    }
  } else if (const auto* tensor = value.get<HostTensor>()) {
    if (arg.type == TypeTag::kTensor) {
      bound = Value::of_tensor(add_tensor(*tensor, i));
    } else if (tensor->numel() == 1 && is_real_number(tensor->dtype())) {
      // PyTorch takes a tensor of one element for a number.
      bound = number_of(*tensor);
    } else {
      return invalid("is a tensor, not a number");
    }
  } else if (const auto* text = value.get<std::string>()) {
    bound = Value::of_string(strings_.emplace_back(*text).c_str());
  } else if (plain) {
    bound = *plain;
    if (arg.type == TypeTag::kTensor && bound.is_number()) {
      numbers_.push_back(values_.size());
    }
  } else {
    return invalid("is a " + describe(value));
  }
  value_of_arg_[i] = static_cast<int>(values_.size());
  values_.push_back(add_value(bound));
  return Error();
}

Error CallFrame::bind_list(size_t i, const HostValue::List& list, Value* out) {
  const SchemaArg& arg = op_.schema.args[i];
  if (arg.type == TypeTag::kTensor) {
    std::vector<Tensor*>& items = tensor_lists_.emplace_back();
    for (const HostValue& item : list) {
      const auto* tensor = item.get<HostTensor>();
      if (tensor == nullptr && !item.is_none()) {
        return invalid("has an item that is no tensor");
      }
      items.push_back(tensor == nullptr ? nullptr : add_tensor(*tensor, i));
    }
    *out = Value::of_tensor_list(Span<Tensor* const>(items.data(), items.size()));
    return Error();
  }
  std::vector<Value> numbers;
  for (const HostValue& item : list) {
    const auto* tensor = item.get<HostTensor>();
    const bool one = tensor != nullptr && tensor->numel() == 1 && is_real_number(tensor->dtype());
    const auto plain = one ? number_of(*tensor) : plain_value(item);
    if (!plain || !plain->is_number()) {
      return invalid("has an item that is no number");
    }
    numbers.push_back(*plain);
  }
  if (arg.type == TypeTag::kFloat || arg.type == TypeTag::kScalar) {
    std::vector<double>& doubles = doubles_.emplace_back();
    for (const Value& number : numbers) {
      doubles.push_back(number.as_scalar().to_double());
    }
    *out = Value::of_double_list(doubles);
  } else if (arg.type == TypeTag::kBool) {
    std::vector<uint8_t>& bools = bools_.emplace_back();
    for (const Value& number : numbers) {
      bools.push_back(number.as_scalar().to_bool());
    }
    *out = Value::of_bool_list(
        Span<const bool>(reinterpret_cast<const bool*>(bools.data()), bools.size()));
  } else {
    std::vector<int64_t>& ints = ints_.emplace_back();
    for (const Value& number : numbers) {
      if (number.kind() == Value::Kind::kDouble) {
        return invalid("has an item that is no integer");
      }
      ints.push_back(number.as_int());
    }
    *out = Value::of_int_list(&int_lists_.emplace_back(
        IntList{ints.data(), nullptr, static_cast<uint32_t>(ints.size())}));
  }
  return Error();
}

Status CallFrame::infer(const std::vector<HostValue>& wanted, bool refused, Message* message) {
  refused_ = refused;
  std::vector<size_t> list_sizes;
  for (size_t r = 0; r < op_.schema.return_count; ++r) {
    const bool list = op_.schema.returns[r].list;
    list_sizes.push_back(list && !refused ? wanted.size() : 1);
  }
  return record_infer(static_cast<ops::OpId>(op_.op), values_, option_, list_sizes, &inferred_,
                      message);
}

Tensor* CallFrame::add_output(DType dtype, std::vector<int32_t> sizes,
                              std::vector<uint8_t> dim_order, bool resizable) {
  if (dim_order.size() != sizes.size()) {
    dim_order.clear();
  }
  HostTensor& owner = tensors_.emplace_back(dtype, std::move(sizes), std::move(dim_order));
  std::memset(owner.mutable_bytes().data(), kPoison, owner.size_bytes());
  Tensor& view = views_.emplace_back(owner.view());
  if (resizable) {
    std::vector<int32_t>& shape = shapes_.emplace_back(owner.sizes());
    std::vector<int32_t>& strides = shapes_.emplace_back(shape.size());
    view = Tensor(dtype, shape, owner.dim_order(), strides, owner.mutable_bytes().data(),
                  owner.size_bytes(), Dynamism::kBounded);
  }
  return &view;
}

void CallFrame::make_outputs(const std::vector<HostValue>& wanted) {
  ops::ResultType common;
  bool dimensioned = false;
  for (size_t i = 0; i < first_out_; ++i) {
    if (values_[i]->is_tensor()) {
      common.add(*values_[i]->as_tensor());
      dimensioned |= values_[i]->as_tensor()->rank() > 0;
    }
  }
  for (const size_t i : numbers_) {
    common.add(values_[i]->as_scalar());
  }
  for (const size_t i : numbers_) {
    const Scalar number = values_[i]->as_scalar();
    // As a number that takes part in the arithmetic: 16-bit floats compute in float. Beside a
    // tensor of rank 0 it would promote as one.
    const DType narrow = common.get();
    const bool widen = dimensioned && is_floating(narrow) && dtype_bytes(narrow) == 2;
    const DType dtype = widen ? DType::kFloat32 : narrow;
    HostTensor& tensor = tensors_.emplace_back(DType::kFloat64, std::vector<int32_t>());
    *tensor.mutable_data<double>() = number.to_double();
    if (!number.is_double()) {
      tensor = HostTensor(DType::kInt64, {});
      *tensor.mutable_data<int64_t>() = number.to_int();
    }
    tensor = tensor.converted(dtype);
    *values_[i] = Value::of_tensor(&views_.emplace_back(tensor.view()));
  }
  size_t next = 0;  // in `wanted`
  const auto dim_order = [&](size_t k) {
    const auto* tensor = k < wanted.size() ? wanted[k].get<HostTensor>() : nullptr;
    return tensor == nullptr ? std::vector<uint8_t>() : tensor->dim_order();
  };
  size_t o = 0;
  for (size_t r = 0; r < op_.schema.return_count; ++r) {
    const SchemaArg& result = op_.schema.returns[r];
    if (result.writes) {
      ++next;
      continue;
    }
    if (result.type != TypeTag::kTensor) {
      values_.push_back(add_value(Value()));
      ++next;
      ++o;
      continue;
    }
    const size_t count = !result.list || refused_ ? 1 : wanted.size() - next;
    std::vector<Tensor*>& items = tensor_lists_.emplace_back();
    for (size_t k = 0; k < count; ++k, ++next) {
      const bool said = o < inferred_.outs.size() && k < inferred_.outs[o].size();
      const auto* want = next < wanted.size() ? wanted[next].get<HostTensor>() : nullptr;
      if (said) {
        const InferredTensor& tensor = inferred_.outs[o][k];
        items.push_back(add_output(tensor.dtype, tensor.sizes, dim_order(next), false));
      } else if (want != nullptr) {
        std::vector<int32_t> sizes = want->sizes();
        for (int32_t& size : sizes) {
          ++size;
        }
        items.push_back(add_output(want->dtype(), sizes, want->dim_order(), true));
      } else {
        const HostTensor* first = sources_.empty() ? nullptr : sources_[0].copy;
        items.push_back(first == nullptr
                            ? add_output(option_.value_or(DType::kFloat32), {1}, {}, true)
                            : add_output(option_.value_or(first->dtype()), first->sizes(),
                                         first->dim_order(), true));
      }
    }
    values_.push_back(add_value(
        result.list ? Value::of_tensor_list(Span<Tensor* const>(items.data(), items.size()))
                    : Value::of_tensor(items[0])));
    ++o;
  }
}

bool CallFrame::alias_output() {
  if (first_out_ >= values_.size() || !values_[first_out_]->is_tensor()) {
    return false;
  }
  Tensor* const out = values_[first_out_]->as_tensor();
  for (Source& source : sources_) {
    const Tensor in = source.copy->view();
    const int at = value_of_arg_[source.arg];
    if (at < 0 || !values_[static_cast<size_t>(at)]->is_tensor() || out->numel() == 0) {
      continue;
    }
    if (in.dtype() == out->dtype() && in.same_layout(*out)) {
      out->set_data(source.copy->mutable_bytes().data(), source.copy->size_bytes());
      source.aliased = true;
      return true;
    }
  }
  return false;
}

std::vector<HostValue> CallFrame::results() const {
  std::vector<HostValue> results;
  size_t at = first_out_;
  for (size_t r = 0; r < op_.schema.return_count; ++r) {
    const SchemaArg& result = op_.schema.returns[r];
    if (result.writes) {
      size_t seen = 0;
      for (size_t k = 0; k < r; ++k) {
        seen += op_.schema.returns[k].writes ? 1 : 0;
      }
      for (const Source& source : sources_) {
        if (source.writes && seen-- == 0) {
          results.push_back({*source.copy});
          break;
        }
      }
      continue;
    }
    const Value& value = *values_[at++];
    switch (value.kind()) {
      case Value::Kind::kTensor:
        results.push_back({HostTensor::copy_of(*value.as_tensor())});
        break;
      case Value::Kind::kTensorList:
        for (const Tensor* item : value.as_tensors()) {
          results.push_back({HostTensor::copy_of(*item)});
        }
        break;
      case Value::Kind::kInt:
        results.push_back({value.as_int()});
        break;
      case Value::Kind::kDouble:
        results.push_back({value.as_double()});
        break;
      case Value::Kind::kBool:
        results.push_back({value.as_bool()});
        break;
      default:
        results.push_back({});
        break;
    }
  }
  return results;
}

std::optional<std::string> CallFrame::wrongly_written() const {
  for (const Source& source : sources_) {
    if (!source.writes && !source.aliased && source.copy->size_bytes() != 0 &&
        std::memcmp(source.copy->bytes().data(), source.original->bytes().data(),
                    source.copy->size_bytes()) != 0) {
      return std::string(op_.schema.args[source.arg].name);
    }
  }
  return std::nullopt;
}

}  // namespace cresset::tests
