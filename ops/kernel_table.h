// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/span.h"
#include "ops/kernel_args.h"
#include "ops/runtime_infer.h"
#include "ops/traits.h"

namespace cresset::ops {

// Bytes of scratch memory that a kernel needs for these arguments (kernel-form order; tensors may
// have no data): from shapes, dtypes and numbers alone.
using ScratchFn = size_t (*)(Value* const* args);

// One kernel as the runtime and the compiler find it: by the operator's name in program files. All
// pointers have static storage; a table of kernels is constant data.
struct Kernel {
  const char* name;      // "aten::add"
  const char* overload;  // of the out variant, "out"; empty where the operator has none
  BoxedFn call;
  InferFn infer;      // sizes and dtypes of the outputs; null: the kernel sizes its outputs itself
  ScratchFn scratch;  // null: none
  const ArgCode* codes;
  uint8_t arg_count;  // arguments and outputs
  uint8_t out_count;  // the last ones
  uint16_t traits;
};

// Kernels sorted as in op_table.def. Tables are searched one after the other, first match wins.
using KernelTable = Span<const Kernel>;
using KernelTables = Span<const KernelTable>;

// The first kernel with that name and overload, or null.
const Kernel* find_kernel(KernelTables tables, const char* name, const char* overload);

}  // namespace cresset::ops
