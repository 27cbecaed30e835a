// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/clone.h"

namespace cresset::ir {

namespace {

Argument cloned(const Argument& argument, const ClonedGraph& to) {
  if (argument.is_value()) {
    return to.values.at(argument.value());
  }
  if (argument.is_graph()) {
    return argument.graph() == nullptr ? argument : Argument(clone(*argument.graph()).graph);
  }
  if (!argument.is_list()) {
    return argument;
  }
  ArgumentList items;
  for (const Argument& item : argument.list()) {
    items.push_back(cloned(item, to));
  }
  return items;
}

Value* counterpart(const Value* value, const ClonedGraph& to) {
  return value == nullptr ? nullptr : to.values.at(value);
}

}  // namespace

ClonedGraph clone(const Graph& graph) {
  ClonedGraph to;
  to.graph = std::make_shared<Graph>();
  Graph& copy = *to.graph;
  const auto pair = [&](const Value* from, Value* made) {
    copy.rename(made, from->name);
    to.values[from] = made;
  };
  copy.name = graph.name;
  copy.output_names = graph.output_names;
  copy.ranges = graph.ranges;
  copy.in_spec = graph.in_spec;
  copy.out_spec = graph.out_spec;
  for (const UserInput& input : graph.inputs) {
    if (input.value == nullptr) {
      copy.inputs.push_back(input);
    } else {
      pair(input.value, copy.add_input(input.name, input.value->type));
      copy.inputs.back().specialised = input.specialised;
    }
  }
  for (const Buffer& buffer : graph.buffers) {
    Value* const value = copy.add_buffer(buffer.name, buffer.initial);
    value->type = buffer.value->type;
    pair(buffer.value, value);
    copy.buffers.back().shared = buffer.shared;
  }
  for (const auto& value : graph.values()) {
    if (value->origin() == Value::Origin::kConstant) {
      pair(value.get(), copy.add_constant(value->constant()));
    }
  }
  for (const auto& node : graph.nodes()) {
    std::vector<Argument> args;
    for (const Argument& argument : node->args()) {
      args.push_back(cloned(argument, to));
    }
    std::vector<Type> types;
    for (const Value* result : node->results()) {
      types.push_back(result->type);
    }
    Node* const made = copy.add_node(node->info(), std::move(args), std::move(types));
    made->in_place = node->in_place;
    made->writes_copies = node->writes_copies;
    made->debug_handle = node->debug_handle;
    made->source = node->source;
    for (size_t i = 0; i < node->results().size(); ++i) {
      pair(node->result(i), made->result(i));
    }
  }
  for (const Argument& output : graph.outputs) {
    copy.outputs.push_back(cloned(output, to));
  }
  for (size_t i = 0; i < graph.buffers.size(); ++i) {
    copy.buffers[i].update = counterpart(graph.buffers[i].update, to);
  }
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    copy.inputs[i].update = counterpart(graph.inputs[i].update, to);
  }
  return to;
}

}  // namespace cresset::ir
