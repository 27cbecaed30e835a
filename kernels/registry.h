// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/kernel_table.h"

namespace cresset::kernels {

// The portable library as one constant table, sorted as ops/op_table.def.
ops::KernelTable portable_kernels();

// Linear algebra and special functions, defined in host builds only.
ops::KernelTable numerics_kernels();

// What hosts run programs on: every library above, in the order of search.
ops::KernelTables host_kernels();
// What people call the library of host_kernels()[index].
const char* host_library_name(size_t index);

}  // namespace cresset::kernels
