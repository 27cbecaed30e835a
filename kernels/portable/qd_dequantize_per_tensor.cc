// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// (input - zero_point) * scale, with one rounding to a 16-bit output at the end.
Status qd_dequantize_per_tensor(KernelContext& context, const Tensor& input, double scale,
                                int64_t zero_point, int64_t, int64_t, DType dtype, Optional<DType>,
                                Tensor& out) {
  if (input.dtype() != dtype) {
    return context.fail(Status::kInvalidType, "input is {}, dtype says {}", input.dtype(), dtype);
  }
  return unary_floating(context, input, out, [=](auto x) {
    using C = decltype(x);
    return (x - static_cast<C>(zero_point)) * static_cast<C>(scale);
  });
}

}  // namespace cresset::kernels::portable
