// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "compiler/partitioner/backend_compiler.h"
#include "compiler/partitioner/report.h"

namespace cresset::partitioner {

// Hands subgraphs of `graph` (functional, normalised, composites whole) to `backends`, in order of
// priority, and puts a call (hop_delegate) in the place of each. Bodies of cond, scan, map and
// while_loop are partitioned as graphs of their own. What a backend is promised:
// backend_compiler.h.
//
// Subgraphs are as large as they can be without a cycle: no value leaves one and comes back. One
// that only moves data stays. A node is in one subgraph at most.
//
// With `strict`, a node that computes and is left over is an error that lists such nodes with
// reasons. Fails where a backend's table or answer is wrong, or its compile() does with another
// status than kNotSupported.
ir::Expected<MethodReport> partition(ir::Graph& graph, const BackendCompilers& backends,
                                     bool strict = false);

// Whether the operator only moves data (moves.def).
bool only_moves(const ir::Node& node);

}  // namespace cresset::partitioner
