// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/bitwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the bits of self exclusive or other. Integers and bools.
Status bitwise_xor_tensor(KernelContext& context, const Tensor& self, const Tensor& other,
                          Tensor& out) {
  return bitwise(context, self, other, out, [](int64_t x, int64_t y) { return x ^ y; });
}

}  // namespace cresset::kernels::portable
