// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/graph.h"
#include "compiler/partitioner/backend_compiler.h"
#include "compiler/partitioner/find_partitions.h"

namespace cresset::partitioner {

// A partition as a graph of its own, and what it is connected to.
struct Outline {
  std::shared_ptr<ir::Graph> graph;  // as BackendCompiler::compile is promised it
  std::vector<ir::Value*> inputs;    // of the graph that it comes from, in the outline's order
  std::vector<ir::Value*> outputs;
  std::vector<std::string> notes;  // what a user may want to know
};

// Copies the partition out of `graph`. `ranges` are those of the outermost graph.
Outline outline(const ir::Graph& graph, const Partition& partition, const ir::Ranges& ranges,
                const std::string& name);

// Puts a call of what the backend made in the place of the partition. `any_order`: it takes inputs
// as they lie in memory.
void replace_by_call(ir::Graph& graph, const Partition& partition, const Outline& outline,
                     const std::string& id, const CompiledDelegate& compiled, bool any_order);

}  // namespace cresset::partitioner
