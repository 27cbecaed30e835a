// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/kernel_fn.h"

// Dense linear algebra and special functions for hosts: exceptions inside, the heap in use. The
// contract of every kernel is its row's in ops/op_table.def; outputs have been sized by inference.
namespace cresset::kernels::numerics {

#define KERNEL(id) ops::KernelFn<ops::OpId::id> id;
#include "kernels/numerics/kernels.def"
#undef KERNEL

}  // namespace cresset::kernels::numerics
