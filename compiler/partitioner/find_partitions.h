// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "compiler/ir/graph.h"

namespace cresset::partitioner {

// A set of nodes of one graph, in the graph's order.
using Partition = std::vector<ir::Node*>;

// Groups the nodes of `graph` for which wanted[i] is true (i: position in the graph) into convex
// sets, connected by values, as large as they get when merged in the graph's order: no path leaves
// a set and comes back, and sets as a whole depend on each other without a cycle. In the order of
// their first nodes. Deterministic.
std::vector<Partition> find_partitions(const ir::Graph& graph, const std::vector<bool>& wanted);

}  // namespace cresset::partitioner
