// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/bitwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the bits of self and other. Integers and bools.
Status bitwise_and_scalar(KernelContext& context, const Tensor& self, Scalar other, Tensor& out) {
  return bitwise(context, self, other, out, [](int64_t x, int64_t y) { return x & y; });
}

}  // namespace cresset::kernels::portable
