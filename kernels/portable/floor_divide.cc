// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self / other rounded down. 0 as a divisor of integers is an error.
Status floor_divide(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  return divide_floor(context, self, other, out);
}

}  // namespace cresset::kernels::portable
