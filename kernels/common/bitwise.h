// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elementwise.h"

namespace cresset::kernels {

// out = f(a, b) over int64_t, both operands converted to out's dtype: integers and bools only.
template <class F>
Status bitwise(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, F f) {
  if (compute_dtype(out.dtype()) != DType::kInt64) {
    return context.fail(Status::kInvalidType, "{} has no bits to work on, expected integers",
                        out.dtype());
  }
  return map<int64_t>(context, out, out.dtype(), a, out.dtype(), b, f);
}

}  // namespace cresset::kernels
