// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/kernel.h"
#include "ops/kernel_fn.h"

// The portable kernels: every row of the operator table, plain and unoptimised, right for every
// dtype and dim order that the row claims. They are the oracle that other libraries are tested
// against.
//
// Declared for all rows, for the registry: a definition with another signature does not link.
// Kernels themselves include kernels/common/kernel.h, so that a new row does not recompile them
// all. Outputs have been sized by the row's inference rule when a kernel is called (except for
// rules named `manual`), so a kernel checks only what inference does not: dtypes it does not
// compute, values, indices.
namespace cresset::kernels::portable {

#define OP(id, name, overload, out, schema, traits, inference, doc) ops::KernelFn<ops::OpId::id> id;
#include "ops/op_table.def"
#undef OP

#define KERNEL(id)
#define KERNEL_SCRATCH(id) size_t id##_scratch(Value* const* args);
#include "kernels/portable/kernels.def"
#undef KERNEL
#undef KERNEL_SCRATCH

}  // namespace cresset::kernels::portable
