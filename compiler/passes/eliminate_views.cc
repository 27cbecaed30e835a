// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/builder.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

bool is_reshape(Op op) {
  switch (op) {
    case Op::view_copy:
    case Op::unsqueeze_copy:
    case Op::squeeze_copy:
    case Op::squeeze_copy_dim:
    case Op::squeeze_copy_dims:
      return true;
    default:
      return false;
  }
}

bool is_row_major(const Value* value) {
  const std::vector<uint8_t>& order = value->tensor().dim_order;
  for (size_t d = 0; d < order.size(); ++d) {
    if (order[d] != d) {
      return false;
    }
  }
  return true;
}

// Whether the result is argument 0, element by element and byte by byte.
bool changes_nothing(const Node& node) {
  if (node.args().empty() || !is_tensor(node.arg(0)) || node.results().size() != 1) {
    return false;
  }
  const TensorType& in = node.arg(0).value()->tensor();
  const TensorType& out = node.result()->tensor();
  if (!(in == out)) {
    return false;
  }
  switch (node.op()) {
    case Op::view_copy:
    case Op::unsqueeze_copy:
    case Op::squeeze_copy:
    case Op::squeeze_copy_dim:
    case Op::squeeze_copy_dims:
    case Op::expand_copy:
    case Op::slice_copy_tensor:  // equal sizes: everything, in order (steps are positive)
    case Op::alias_copy:
    case Op::detach_copy:
    case Op::lift_fresh_copy:
    case Op::clone:
    case Op::_to_copy:
    case Op::_to_dim_order_copy:
    case Op::_clone_dim_order:
      return true;
    case Op::permute_copy:
      return node.arg(1).int_list() == counted(in.sizes.size());
    case Op::constant_pad_nd:
      return node.arg(1).is_list() &&
             std::all_of(node.arg(1).list().begin(), node.arg(1).list().end(),
                         [](const Argument& pad) { return pad == Argument(0); });
    default:
      return false;
  }
}

// Two views in a row as one: a reshape of a reshape, a permutation of a permutation.
bool join(ir::Graph& graph, Node* node) {
  if (node->args().empty() || !is_tensor(node->arg(0)) || node->results().size() != 1) {
    return false;
  }
  Node* before = node->arg(0).value()->producer();
  if (before == nullptr || before->args().empty() || !is_tensor(before->arg(0))) {
    return false;
  }
  Value* source = before->arg(0).value();
  if (is_reshape(node->op()) && is_reshape(before->op())) {
    if (!is_row_major(source) || !is_row_major(node->result())) {
      return false;
    }
    if (source->tensor() == node->result()->tensor()) {
      graph.replace_uses(node->result(), source);
      return true;
    }
    if (node->op() == Op::view_copy) {
      node->set_arg(0, source);  // a -1 still stands for the same size
      return true;
    }
    if (node->result()->tensor().is_static()) {
      Ints sizes;
      for (const Dim& size : node->result()->sizes()) {
        sizes.push_back(*size.known());
      }
      node->set_op(ops::op_info(Op::view_copy), {source, Argument::ints(sizes)});
      return true;
    }
    return false;
  }
  if (node->op() == Op::permute_copy && before->op() == Op::permute_copy) {
    const std::optional<Ints> outer = node->arg(1).int_list();
    const std::optional<Ints> inner = before->arg(1).int_list();
    if (!outer || !inner) {
      return false;
    }
    const auto wrap = [&](int64_t dim) {
      return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(inner->size()) : dim);
    };
    Ints order;
    for (const int64_t dim : *outer) {
      order.push_back(static_cast<int64_t>(wrap((*inner)[wrap(dim)])));
    }
    node->set_arg(1, Argument::ints(order));
    node->set_arg(0, source);
    return true;
  }
  return false;
}

// A permutation that only moves dimensions of size 1 is a reshape, which moves no data.
void reshape_instead(Node* node) {
  if (node->op() != Op::permute_copy || !is_row_major(node->arg(0).value()) ||
      !is_row_major(node->result()) || !node->result()->tensor().is_static()) {
    return;
  }
  int64_t last = -1;
  for (const int64_t dim : node->arg(1).int_list().value_or(Ints{})) {
    const int64_t rank = static_cast<int64_t>(node->result()->rank());
    const int64_t at = dim < 0 ? dim + rank : dim;
    if (node->arg(0).value()->sizes()[static_cast<size_t>(at)] == Dim(1)) {
      continue;
    }
    if (at < last) {
      return;
    }
    last = at;
  }
  Ints sizes;
  for (const Dim& size : node->result()->sizes()) {
    sizes.push_back(*size.known());
  }
  node->set_op(ops::op_info(Op::view_copy), {node->arg(0), Argument::ints(sizes)});
}

}  // namespace

ir::Error eliminate_views(ir::Graph& graph, const PassContext& context) {
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = (it++)->get();
    if (ir::Error failure =
            for_each_body(*node, [&](ir::Graph& body) { return eliminate_views(body, context); })) {
      return failure;
    }
    if (node->results().empty()) {
      continue;
    }
    reshape_instead(node);
    while (graph.is_used(node->result(0)) && join(graph, node)) {
    }
    if (changes_nothing(*node)) {
      graph.replace_uses(node->result(), node->arg(0).value());
      graph.erase(node);
    }
  }
  return {};
}

}  // namespace cresset::passes
