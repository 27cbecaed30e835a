// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/fold_constants.h"

#include "compiler/passes/decompositions.h"

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
  if (node.results().empty() || node.in_place ||
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

// Puts what the composite computes in its place, in front of the node that follows it.
void rewrite(ir::Graph& graph, Node* node) {
  const Decomposition decomposition = find_decomposition(node->op());
  if (decomposition == nullptr) {
    return;
  }
  // What cannot be rewritten is for decompose to report.
  const ir::Expected<Values> made = apply(decomposition, graph, node);
  if (!made.ok()) {
    return;
  }
  for (size_t i = 0; i < node->results().size() && i < made->size(); ++i) {
    if ((*made)[i] != nullptr) {
      graph.replace_uses(node->result(i), (*made)[i]);
    }
  }
}

void fold(ir::Graph& graph, Node* node, const PassContext& context) {
  const auto folded = context.evaluate(*node);
  // What cannot be computed here may still be computed on the device, or reported there.
  if (!folded.ok() || folded->size() != node->results().size()) {
    return;
  }
  for (size_t i = 0; i < folded->size(); ++i) {
    graph.replace_uses(node->result(i), graph.add_constant((*folded)[i]));
  }
}

bool is_used(const ir::Graph& graph, const Node& node) {
  for (const Value* result : node.results()) {
    if (graph.is_used(result)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool unpacks(const ir::Node& node) {
  return node.info().name.find("::dequantize") != std::string_view::npos;
}

ir::Error fold_nodes(ir::Graph& graph, const PassContext& context,
                     const std::function<bool(const ir::Node&)>& wanted) {
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = it->get();
    const bool first = it == graph.nodes().begin();
    const auto last = first ? it : std::prev(it);
    ++it;
    if (ir::Error failure = for_each_body(
            *node, [&](ir::Graph& body) { return fold_nodes(body, context, wanted); })) {
      return failure;
    }
    if (!context.evaluate || !may_fold(*node) || (wanted && !wanted(*node))) {
      continue;
    }
    if (!node->info().composite) {
      fold(graph, node, context);
    } else {
      rewrite(graph, node);
    }
    if (is_used(graph, *node)) {
      continue;
    }
    const bool composite = node->info().composite;
    graph.erase(node);
    if (composite) {
      it = first ? graph.nodes().begin() : std::next(last);
    }
  }
  graph.drop_unused_constants();
  return {};
}

ir::Error fold_constants(ir::Graph& graph, const PassContext& context) {
  // What stays quantized stays small.
  return fold_nodes(graph, context, [&](const ir::Node& node) {
    return context.has_integer_rows || !unpacks(node);
  });
}

}  // namespace cresset::passes
