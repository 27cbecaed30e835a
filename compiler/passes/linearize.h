// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/ir/error.h"
#include "compiler/ir/schedule.h"

namespace cresset::passes {

struct LinearizeOptions {
  // Outputs may take the memory of an input that dies, where the operator's row allows it.
  bool in_place = true;
  // Re-readings of row-major memory (view, squeeze ...) cost no step.
  bool share_views = true;
};

// Flattens a graph of rows and control flow into registers and steps. Bodies become jumps: cond as
// a branch, scan, map and while_loop as loops. Decides which registers share memory, and computes
// life times.
//
// Fails where a size has no upper bound (naming the dimensions and the remedy) and where a
// composite or unknown control flow is left.
ir::Expected<ir::Schedule> linearize(const ir::Graph& graph, const LinearizeOptions& options);

}  // namespace cresset::passes
