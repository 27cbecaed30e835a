// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/bitwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with its bits moved left by other; 0 where other is negative or not below the width of
// the dtype.
Status bitwise_left_shift_tensor(KernelContext& context, const Tensor& self, const Tensor& other,
                                 Tensor& out) {
  const int64_t width = static_cast<int64_t>(8 * dtype_bytes(out.dtype()));
  return bitwise(context, self, other, out, [width](int64_t x, int64_t by) {
    return by < 0 || by >= width ? 0 : wrap(static_cast<uint64_t>(x) << by);
  });
}

}  // namespace cresset::kernels::portable
