// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self + alpha * other.
Status add_tensor(KernelContext& context, const Tensor& self, const Tensor& other, Scalar alpha,
                  Tensor& out) {
  return add_scaled(context, self, other, alpha, out);
}

}  // namespace cresset::kernels::portable
