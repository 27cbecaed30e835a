// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self / other, rounded toward zero ("trunc") or down ("floor") or not at all (none). Rounded
// integers stay integers; 0 as their divisor is an error.
Status div_scalar_mode(KernelContext& context, const Tensor& self, Scalar other,
                       const char* rounding_mode, Tensor& out) {
  return divide(context, self, other, rounding_mode, out);
}

}  // namespace cresset::kernels::portable
