// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = other - alpha * self. Not for bools.
Status rsub_scalar(KernelContext& context, const Tensor& self, Scalar other, Scalar alpha,
                   Tensor& out) {
  return subtract_scaled(context, other, self, alpha, out);
}

}  // namespace cresset::kernels::portable
