// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/kernel_table.h"

namespace cresset {

// The primitive operators: arithmetic on numbers of the program itself (symbolic sizes, loop
// counters, conditions), and views whose shape is known at run time only. Part of every runtime.
// Unlike kernels of tables their instructions name the result once and have no return slot.
ops::KernelTable prim_kernels();

}  // namespace cresset
