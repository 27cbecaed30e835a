// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

bool has_effect(const ir::Node& node) {
  if (node.writes_copies) {
    return false;
  }
  if (node.in_place || (node.info().traits & ops::kWrites) != 0) {
    return true;
  }
  for (size_t i = 0; i < node.schema().arg_count; ++i) {
    if (node.schema().args[i].writes && node.arg(i).is_value()) {
      return true;
    }
  }
  return node.results().empty();
}

}  // namespace

ir::Error eliminate_dead_code(ir::Graph& graph, const PassContext& context) {
  for (auto it = graph.nodes().end(); it != graph.nodes().begin();) {
    ir::Node* node = (--it)->get();
    if (ir::Error failure = for_each_body(
            *node, [&](ir::Graph& body) { return eliminate_dead_code(body, context); })) {
      return failure;
    }
    bool used = has_effect(*node);
    for (const ir::Value* result : node->results()) {
      used = used || graph.is_used(result);
    }
    if (!used) {
      ++it;
      graph.erase(node);
    }
  }
  graph.drop_unused_constants();
  return {};
}

}  // namespace cresset::passes
