// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = scale * self where self is positive, else scale * alpha * (exp(input_scale * self) - 1).
Status elu(KernelContext& context, const Tensor& self, Scalar alpha, Scalar scale,
           Scalar input_scale, Tensor& out) {
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const C positive = scale.to<C>();
    const C negative = static_cast<C>(alpha.to_double() * scale.to_double());
    const C inner = input_scale.to<C>();
    return map<C>(context, out, kDTypeOf<C>, self,
                  [=](C x) { return x < 0 ? std::expm1(x * inner) * negative : x * positive; });
  });
}

}  // namespace cresset::kernels::portable
