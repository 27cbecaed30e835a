// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/eval/datum.h"
#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "core/parallel.h"
#include "ops/kernel_table.h"

namespace cresset::eval {

// Computes a node whose values are all constants, or numbers that are known: one datum a result;
// tensors carry the results' names. For a program's bytes to be the same on every host, `tables`
// must be the portable kernels alone. Fails, naming the node, where an argument is not constant,
// where no table has the kernel, and where the kernel refuses. The node must be a row.
ir::Expected<std::vector<Datum>> evaluate_node(const ir::Node& node, ops::KernelTables tables);

// Whether evaluate_node has everything it needs: a row with a kernel, constant arguments, nothing
// random or written.
bool can_evaluate(const ir::Node& node, ops::KernelTables tables);

// Runs a graph, its bodies included (cond, while_loop, map, scan). Graph, tables and parallel
// runner outlive the evaluator. Buffers keep their contents from run to run. One thread at a time.
class Evaluator {
 public:
  // Called with every input, constant excepted, and every result as it is computed.
  using Observer = std::function<void(const ir::Value&, const Datum&)>;

  Evaluator(const ir::Graph& graph, ops::KernelTables tables, ParallelFor* parallel = nullptr);

  void set_observer(Observer observer) { observer_ = std::move(observer); }

  // One datum an input of the graph (those of specialised inputs are not looked at), in any dim
  // order; one datum an output of the graph comes back. Inputs must have the declared dtypes and
  // sizes, with symbols taking the values that they have at their first occurrence.
  ir::Expected<std::vector<Datum>> run(const std::vector<Datum>& inputs);

  // What the last run left in the inputs that the graph updates: one datum an input, None for
  // those that it leaves alone.
  const std::vector<Datum>& input_updates() const { return input_updates_; }
  // The contents of a buffer now; null where there is none of that name.
  ir::ConstantPtr buffer(const std::string& fqn) const;
  // Gives buffers their initial contents back.
  void reset();

 private:
  struct Frame;
  using Results = ir::Expected<std::vector<Datum>>;

  Results run_graph(const ir::Graph& graph, const std::vector<Datum>& inputs, Frame* frame);
  Results run_body(const ir::Graph& body, const std::vector<Datum>& inputs);
  Results run_node(const ir::Node& node, Frame* frame);
  Results run_row(const ir::Node& node, Frame* frame);
  Results run_cond(const ir::Node& node, Frame* frame);
  Results run_while(const ir::Node& node, Frame* frame);
  Results run_map(const ir::Node& node, Frame* frame);
  Results run_scan(const ir::Node& node, Frame* frame);

  const ir::Graph& graph_;
  ops::KernelTables tables_;
  ParallelFor* parallel_;
  Observer observer_;
  std::map<std::string, ir::ConstantPtr> buffers_;
  std::vector<Datum> input_updates_;
};

}  // namespace cresset::eval
