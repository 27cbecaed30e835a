// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "extensions/data/cases.h"
#include "ops/kernel_table.h"
#include "ops/op.h"
#include "tests/conformance/stopwatch.h"

namespace cresset::tests {

// Runs one case as a graph of one node, the way of the compiler: functionalize, normalize,
// decompose for the kernels of `kernels`, then compiler/eval, which poisons what kernels write.
// `in_place`: the case is about the form of `op` that writes into its first argument. Returns what
// is wrong, empty where nothing is. `watch` times the evaluation, with all its allocations.
std::string run_as_graph(const ops::OpInfo& op, bool in_place, ops::KernelTables kernels,
                         const data::OperatorCase& call, Stopwatch* watch);

}  // namespace cresset::tests
