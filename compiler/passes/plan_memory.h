// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/ir/error.h"
#include "compiler/ir/schedule.h"
#include "ops/kernel_table.h"

namespace cresset::passes {

// Gives every planned register its place: arena 0 holds activations, inputs, outputs and state; the
// last arena, if any kernel of `kernels` needs scratch memory for these steps, is scratch alone.
// Life times must be final. Deterministic.
ir::Error plan_memory(ir::Schedule* schedule, ops::KernelTables kernels);

}  // namespace cresset::passes
