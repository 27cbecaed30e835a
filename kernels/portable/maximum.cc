// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the greater of self and other; NaN where either is NaN.
Status maximum(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  return binary(context, self, other, out, [](auto x, auto y) { return greater_of(x, y); });
}

}  // namespace cresset::kernels::portable
