// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/bitwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with its bits moved right by other, the sign kept; where other is negative or too
// large, as far as possible.
Status bitwise_right_shift_tensor(KernelContext& context, const Tensor& self, const Tensor& other,
                                  Tensor& out) {
  const int64_t furthest =
      static_cast<int64_t>(8 * dtype_bytes(out.dtype())) - (out.dtype() == DType::kUInt8 ? 0 : 1);
  return bitwise(context, self, other, out, [furthest](int64_t x, int64_t by) {
    return x >> (by < 0 || by > furthest ? furthest : by);
  });
}

}  // namespace cresset::kernels::portable
