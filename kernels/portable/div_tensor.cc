// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self / other in floating point.
Status div_tensor(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  return divide(context, self, other, nullptr, out);
}

}  // namespace cresset::kernels::portable
