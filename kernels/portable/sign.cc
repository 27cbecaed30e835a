// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = 1, 0 or -1: the sign of self; NaN gives 0.
Status sign(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary(context, self, out, [](auto x) {
    using C = decltype(x);
    return static_cast<C>((x > 0) - (x < 0));
  });
}

}  // namespace cresset::kernels::portable
