// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/activation.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = (self + 3) / 6 within [0, 1].
Status hardsigmoid(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary_floating(context, self, out, [](auto x) {
    using C = decltype(x);
    return clamp_to<C>(x + 3, 0, 6) / 6;
  });
}

}  // namespace cresset::kernels::portable
