// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/print.h"

#include <fmt/core.h>

#include "compiler/ir/text.h"

namespace cresset::ir {

namespace {

class Printer {
 public:
  explicit Printer(const PrintOptions& options) : options_(options) {}

  // Every line after the first is indented by `indent`.
  std::string graph(const Graph& graph, const std::string& indent) const;
  std::string node(const Node& node, const std::string& indent) const;

 private:
  static std::string name(const Value* value) {
    return value == nullptr             ? "%null"
           : is_plain_name(value->name) ? "%" + value->name
                                        : "%" + quoted(value->name);
  }
  std::string argument(const Argument& argument, const std::string& indent) const;
  std::string input(const UserInput& input) const;
  std::string held(const Graph& graph, const Value& value) const;
  std::string outputs(const Graph& graph) const;

  PrintOptions options_;
};

std::string join(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text += (text.empty() ? "" : ", ") + item;
  }
  return text;
}

std::string Printer::argument(const Argument& argument, const std::string& indent) const {
  if (argument.is_none()) {
    return "None";
  }
  if (argument.is_value()) {
    return name(argument.value());
  }
  if (argument.is_bool()) {
    return argument.boolean() ? "true" : "false";
  }
  if (argument.is_int()) {
    return fmt::format("{}", argument.integer());
  }
  if (argument.is_double()) {
    return number_text(argument.number());
  }
  if (argument.is_string()) {
    return quoted(argument.string());
  }
  if (argument.is_dtype()) {
    return std::string(short_name(argument.dtype()));
  }
  if (argument.is_graph()) {
    return graph(*argument.graph(), indent + "  ");
  }
  std::vector<std::string> items;
  for (const Argument& item : argument.list()) {
    items.push_back(this->argument(item, indent));
  }
  return "[" + join(items) + "]";
}

std::string Printer::node(const Node& node, const std::string& indent) const {
  std::vector<std::string> results, types, args;
  for (const Value* result : node.results()) {
    results.push_back(name(result));
    types.push_back(print(result->type));
  }
  bool named = false;
  for (size_t i = 0; i < node.args().size(); ++i) {
    const ops::SchemaArg& arg = node.schema().args[i];
    if (!arg.default_text.empty() && node.arg(i) == default_argument(arg)) {
      named = true;
      continue;
    }
    const std::string text = argument(node.arg(i), indent);
    args.push_back(named || arg.keyword_only ? fmt::format("{}={}", arg.name, text) : text);
  }
  std::string text = results.empty() ? "" : join(results) + " = ";
  text += fmt::format("{}{}({})", node.info().id, node.in_place ? "!" : "", join(args));
  if (types.size() == 1) {
    text += " : " + types[0];
  } else if (!types.empty()) {
    text += " : (" + join(types) + ")";
  }
  if (options_.handles && node.debug_handle != 0) {
    text += fmt::format(" @{}", node.debug_handle);
  }
  const bool has_source = !node.source.line.empty() || !node.source.module.empty();
  if (options_.sources && has_source) {
    text += "  // " + quoted(node.source.line);
    if (!node.source.module.empty()) {
      text += " in " + quoted(node.source.module);
    }
  }
  return text;
}

std::string Printer::input(const UserInput& input) const {
  if (input.value == nullptr) {
    return quoted(input.name) + " = " + argument(input.specialised, "");
  }
  std::string text = name(input.value);
  if (input.name != input.value->name) {
    text += " " + quoted(input.name);
  }
  return text + ": " + print(input.value->type);
}

// A constant or a buffer.
std::string Printer::held(const Graph& graph, const Value& value) const {
  std::string text = name(&value) + " = ";
  ConstantPtr data = value.constant();
  if (value.origin() == Value::Origin::kBuffer) {
    for (const Buffer& buffer : graph.buffers) {
      if (buffer.value == &value) {
        text += "buffer " + quoted(buffer.name);
        data = buffer.initial;
        if (data != nullptr && data->name != buffer.name) {
          text += " = " + quoted(data->name);
        }
      }
    }
  } else {
    text += "constant " + quoted(data->name);
  }
  text += data == nullptr ? " none" : " " + data_text(*data, options_.inline_elements);
  return text + " : " + print(value.type);
}

std::string Printer::outputs(const Graph& graph) const {
  std::vector<std::string> items;
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    std::string text = argument(graph.outputs[i], "");
    if (i < graph.output_names.size()) {
      text = quoted(graph.output_names[i]) + ": " + text;
    }
    items.push_back(std::move(text));
  }
  return items.empty() ? "return" : "return " + join(items);
}

std::string Printer::graph(const Graph& graph, const std::string& indent) const {
  std::vector<std::string> inputs, lines;
  for (const UserInput& item : graph.inputs) {
    inputs.push_back(input(item));
  }
  for (const auto& [symbol, range] : graph.ranges) {
    lines.push_back(range.max == INT64_MAX
                        ? fmt::format("{} in [{}, inf]", symbol, range.min)
                        : fmt::format("{} in [{}, {}]", symbol, range.min, range.max));
  }
  if (options_.specs && !graph.in_spec.empty()) {
    lines.push_back("in_spec " + quoted(graph.in_spec));
  }
  if (options_.specs && !graph.out_spec.empty()) {
    lines.push_back("out_spec " + quoted(graph.out_spec));
  }
  for (const auto& value : graph.values()) {
    if (value->origin() == Value::Origin::kConstant || value->origin() == Value::Origin::kBuffer) {
      lines.push_back(held(graph, *value));
    }
  }
  for (const auto& item : graph.nodes()) {
    lines.push_back(node(*item, indent + "  "));
  }
  for (const UserInput& item : graph.inputs) {
    if (item.update != nullptr) {
      lines.push_back("update " + name(item.value) + " = " + name(item.update));
    }
  }
  for (const Buffer& buffer : graph.buffers) {
    if (buffer.update != nullptr) {
      lines.push_back("update " + name(buffer.value) + " = " + name(buffer.update));
    }
  }
  lines.push_back(outputs(graph));
  const std::string graph_name = is_plain_name(graph.name) ? graph.name : quoted(graph.name);
  std::string text = fmt::format("graph {}({}) {{\n", graph_name, join(inputs));
  for (const std::string& line : lines) {
    text += indent + "  " + line + "\n";
  }
  return text + indent + "}";
}

}  // namespace

std::string print(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kInt:
      return type.value == Dim::unknown("") ? "int" : "int(" + type.value.text() + ")";
    case Type::Kind::kFloat:
      return "float";
    case Type::Kind::kBool:
      return "bool";
    case Type::Kind::kTensor:
      break;
  }
  std::string text = std::string(short_name(type.tensor.dtype)) + sizes_text(type.tensor.sizes);
  const std::vector<uint8_t> order = type.tensor.order();
  if (order != TensorType{type.tensor.dtype, type.tensor.sizes, {}}.order()) {
    std::vector<std::string> dims;
    for (const uint8_t dim : order) {
      dims.push_back(std::to_string(dim));
    }
    text += " order [" + join(dims) + "]";
  }
  return text;
}

std::string print(const Graph& graph, const PrintOptions& options) {
  return Printer(options).graph(graph, "") + "\n";
}

std::string print(const Program& program, const PrintOptions& options) {
  std::string text;
  for (const std::shared_ptr<Graph>& method : program.methods) {
    text += (text.empty() ? "" : "\n") + print(*method, options);
  }
  return text;
}

std::string print(const Node& node, const PrintOptions& options) {
  return Printer(options).node(node, "");
}

}  // namespace cresset::ir
