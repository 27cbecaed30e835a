// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/builder.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

// What a program file may grow by for one folded value that comes from less.
constexpr size_t kMaxGrowthBytes = 64 * 1024;

// Whether all values among the arguments are constants; how many bytes they have.
bool depends_on_constants(const Node& node, size_t* bytes) {
  bool constant = true;
  *bytes = 0;
  node.for_each_value([&](const Value* value) {
    constant = constant && value->origin() == Value::Origin::kConstant;
    if (constant) {
      *bytes += value->constant()->size_bytes;
    }
  });
  return constant;
}

std::optional<size_t> result_bytes(const Node& node) {
  size_t bytes = 0;
  for (const Value* result : node.results()) {
    if (!result->is_tensor() || !result->tensor().is_static()) {
      return std::nullopt;
    }
    size_t elements = 1;
    for (const Dim& size : result->sizes()) {
      elements *= static_cast<size_t>(*size.known());
    }
    bytes += elements * dtype_bytes(result->dtype());
  }
  return bytes;
}

bool may_fold(const Node& node) {
  if (node.info().composite || node.results().empty() || node.in_place ||
      (node.info().traits & (ops::kRandom | ops::kWrites)) != 0) {
    return false;
  }
  for (const Argument& argument : node.args()) {
    if (argument.is_graph()) {
      return false;
    }
  }
  size_t before = 0;
  const std::optional<size_t> after = result_bytes(node);
  return depends_on_constants(node, &before) && after && *after <= before + kMaxGrowthBytes;
}

}  // namespace

ir::Error fold_constants(ir::Graph& graph, const PassContext& context) {
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = (it++)->get();
    if (ir::Error failure =
            for_each_body(*node, [&](ir::Graph& body) { return fold_constants(body, context); })) {
      return failure;
    }
    if (!context.evaluate || !may_fold(*node)) {
      continue;
    }
    const auto folded = context.evaluate(*node);
    // What cannot be computed here may still be computed on the device, or reported there.
    if (!folded.ok() || folded->size() != node->results().size()) {
      continue;
    }
    for (size_t i = 0; i < folded->size(); ++i) {
      graph.replace_uses(node->result(i), graph.add_constant((*folded)[i]));
    }
    graph.erase(node);
  }
  graph.drop_unused_constants();
  return {};
}

}  // namespace cresset::passes
