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
    case Op::max_pool2d:
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

bool is_row_major(const TensorType& type) {
  for (size_t i = 0; i < type.dim_order.size(); ++i) {
    if (type.dim_order[i] != i) {
      return false;
    }
  }
  return true;
}

bool converts_order(const Node& node) {
  return node.op() == Op::_to_dim_order_copy || node.op() == Op::_clone_dim_order;
}

// Whether the node's tensors lie in memory as the target wants them: in whichever order if all of
// a rank agree, else row-major.
bool has_legal_orders(const Node& node, const PassContext& context) {
  if (!context.takes_any_order || converts_order(node)) {
    return true;
  }
  size_t row_major = 0;
  size_t others = 0;
  node.for_each_value([&](const Value* value) {
    if (value->is_tensor() && value->rank() > 1) {
      (is_row_major(value->tensor()) ? row_major : others) += 1;
    }
  });
  if (others == 0) {
    return true;
  }
  // A convolution's weights keep an order of their own.
  return context.takes_any_order(node) && (row_major == 0 || node.op() == Op::convolution);
}

Argument in_row_major(Builder& b, const Argument& argument) {
  if (argument.is_list()) {
    ArgumentList items;
    for (const Argument& item : argument.list()) {
      items.push_back(in_row_major(b, item));
    }
    return items;
  }
  if (!is_tensor(argument) || is_row_major(argument.value()->tensor())) {
    return argument;
  }
  TensorType type = argument.value()->tensor();
  type.dim_order.clear();
  return b.typed(Op::_clone_dim_order,
                 {argument, Argument(false), Argument::ints(counted(type.sizes.size()))}, type);
}

ir::Error make_row_major(ir::Graph& graph, Node* node) {
  Builder b(graph, node, node);
  for (size_t i = 0; i < node->args().size(); ++i) {
    node->set_arg(i, in_row_major(b, node->arg(i)));
  }
  return b.error();
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
    const bool legal = node->op() == Op::hop_delegate
                           ? node->arg("any_order").boolean()
                           : !ops::is_row(node->op()) || has_legal_orders(*node, context);
    if (!legal) {
      if (ir::Error failure = make_row_major(graph, node.get())) {
        return failure;
      }
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
