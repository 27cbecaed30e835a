// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the natural logarithm of 1 + self, exact near 0.
Status log1p(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary_floating(context, self, out, [](auto x) { return std::log1p(x); });
}

}  // namespace cresset::kernels::portable
