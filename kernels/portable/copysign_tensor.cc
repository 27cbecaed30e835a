// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the magnitude of self with the sign of other, which zeros and NaN have too.
Status copysign_tensor(KernelContext& context, const Tensor& self, const Tensor& other,
                       Tensor& out) {
  return binary_floating(context, self, other, out,
                         [](auto x, auto sign) { return std::copysign(x, sign); });
}

}  // namespace cresset::kernels::portable
