// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self where it is positive, else 0; NaN stays.
Status relu(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary(context, self, out, [](auto x) { return x > 0 || x != x ? x : decltype(x)(0); });
}

}  // namespace cresset::kernels::portable
