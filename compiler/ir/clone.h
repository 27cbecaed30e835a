// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <unordered_map>

#include "compiler/ir/graph.h"

namespace cresset::ir {

struct ClonedGraph {
  std::shared_ptr<Graph> graph;
  // What each value of the outermost graph became.
  std::unordered_map<const Value*, Value*> values;
};

// The same graph once more, bodies included, with the same names; constants are shared. Changing
// one leaves the other as it is.
ClonedGraph clone(const Graph& graph);

}  // namespace cresset::ir
