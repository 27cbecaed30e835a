// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the smaller of self and other; NaN where either is NaN.
Status minimum(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  return binary(context, self, other, out, [](auto x, auto y) { return smaller_of(x, y); });
}

}  // namespace cresset::kernels::portable
