// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/builder.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

using Order = std::vector<uint8_t>;

// Operators whose results lie in memory like their first argument, as PyTorch's do.
bool follows_input(const Node& node) {
  if ((node.info().traits & ops::kElementwise) != 0) {
    return true;
  }
  switch (node.op()) {
    case Op::convolution:
    case Op::max_pool2d_with_indices:
    case Op::avg_pool2d:
    case Op::_adaptive_avg_pool2d:
    case Op::_native_batch_norm_legit_no_training:
    case Op::upsample_bilinear2d_vec:
    case Op::upsample_nearest2d_vec:
    case Op::cat:
    case Op::constant_pad_nd:
      return true;
    default:
      return false;
  }
}

// c10's numbers of memory formats.
Order order_of_format(int64_t format, size_t rank) {
  if (format == 2 && rank == 4) {
    return {0, 2, 3, 1};
  }
  if (format == 3 && rank == 5) {
    return {0, 2, 3, 4, 1};
  }
  return {};
}

Order order_of(const Node& node, const Value& result) {
  const int format = node.schema().find("memory_format");
  if (format >= 0 && node.arg(static_cast<size_t>(format)).is_int() &&
      node.arg(static_cast<size_t>(format)).integer() != 1) {
    return order_of_format(node.arg(static_cast<size_t>(format)).integer(), result.rank());
  }
  const int order = node.schema().find("dim_order");
  if (order >= 0 && node.arg(static_cast<size_t>(order)).is_list()) {
    Order dims;
    for (const int64_t dim : node.arg(static_cast<size_t>(order)).int_list().value_or(Ints{})) {
      dims.push_back(static_cast<uint8_t>(dim));
    }
    return dims;
  }
  if (follows_input(node)) {
    Order found;
    bool seen = false;
    node.for_each_value([&](const Value* value) {
      if (!seen && value->is_tensor() && value->rank() == result.rank()) {
        seen = true;
        found = value->tensor().dim_order;
      }
    });
    return found;
  }
  return {};
}

}  // namespace

ir::Error assign_dim_orders(ir::Graph& graph, const PassContext& context) {
  for (const std::unique_ptr<Node>& node : graph.nodes()) {
    if (ir::Error failure = for_each_body(
            *node, [&](ir::Graph& body) { return assign_dim_orders(body, context); })) {
      return failure;
    }
    if (node->op() == Op::kCount) {
      continue;
    }
    for (Value* result : node->results()) {
      if (result->is_tensor()) {
        result->type.tensor.dim_order = order_of(*node, *result);
      }
    }
  }
  return {};
}

}  // namespace cresset::passes
