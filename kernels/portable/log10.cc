// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the logarithm to base 10 of self.
Status log10(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary_floating(context, self, out, [](auto x) { return std::log10(x); });
}

}  // namespace cresset::kernels::portable
