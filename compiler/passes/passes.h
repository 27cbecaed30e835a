// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "ops/multipliers.h"

// Rewriting of graphs. A pass takes a graph that keeps the IR's rules and leaves one that does; it
// works on bodies (of cond, scan, ...) as well. The list, with a line on each: passes.def.
namespace cresset::passes {

// What passes may know about the target.
struct PassContext {
  // Whether the target computes this row as it stands: a kernel for its dtypes, or a backend that
  // has claimed it. Asked for rows only. Empty: every row.
  std::function<bool(const ir::Node&)> has_kernel;
  // Why it does not, for messages. Empty: nothing is said.
  std::function<std::string(const ir::Node&)> why_not;
  // Whether the target computes this row on tensors that are not row-major (all of a rank alike).
  // Asked for rows only. Empty: every row.
  std::function<bool(const ir::Node&)> takes_any_order;
  // Whether a backend has claimed this composite: decompose leaves it alone. Empty: none.
  std::function<bool(const ir::Node&)> keeps_composite;
  // Computes a node on constants, for fold_constants: the results as constants in the order of the
  // node's results, or an error where it cannot. Empty: nothing is folded.
  std::function<ir::Expected<std::vector<ir::ConstantPtr>>(const ir::Node&)> evaluate;
  // Whether the target computes integer rows (cresset::q*); else quantize and dequantize stay.
  bool has_integer_rows = true;
  // How integer rows requantize their sums.
  ops::Requantization requantization = ops::Requantization::kFloat;
  // Told by fuse_integer_ops of each operator beside quantized numbers that stays in floats, and
  // why. Empty: nobody is told.
  std::function<void(const ir::Node&, const std::string& why)> stays_float;
};

// On failure the graph may be half rewritten and must not be used further.
#define PASS(name, summary) ir::Error name(ir::Graph& graph, const PassContext& context);
#include "compiler/passes/passes.def"
#undef PASS

// Calls f(Graph&) for each body among the node's arguments, until one returns an error.
template <class F>
ir::Error for_each_body(const ir::Node& node, F&& f) {
  for (const ir::Argument& argument : node.args()) {
    if (argument.is_graph()) {
      if (ir::Error failure = f(*argument.graph())) {
        return failure;
      }
    }
  }
  return {};
}

}  // namespace cresset::passes
