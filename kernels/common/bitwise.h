// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elementwise.h"

namespace cresset::kernels {

// out = f(a, b), both operands converted to out's dtype: integers and bools only. `f` is over
// int64_t; bools, which are not widened, are 0 and 1.
template <class F>
Status bitwise(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, F f) {
  if (compute_dtype(out.dtype()) != DType::kInt64) {
    return context.fail(Status::kInvalidType, "{} has no bits to work on, expected integers",
                        out.dtype());
  }
  if (out.dtype() == DType::kBool) {
    return map<bool>(context, out, DType::kBool, a, DType::kBool, b,
                     [f](bool x, bool y) { return f(int64_t{x}, int64_t{y}) != 0; });
  }
  return map<int64_t>(context, out, out.dtype(), a, out.dtype(), b, f);
}

}  // namespace cresset::kernels
