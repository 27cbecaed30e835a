// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/activation.h"
#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self within [min_val, max_val]; NaN stays.
Status hardtanh(KernelContext& context, const Tensor& self, Scalar min_val, Scalar max_val,
                Tensor& out) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const C low = min_val.to<C>();
    const C high = max_val.to<C>();
    if (low != low || high != high) {
      return fill(context, out, Scalar::of_double(low != low ? low : high));
    }
    return map<C>(context, out, kDTypeOf<C>, self, [=](C x) { return clamp_to(x, low, high); });
  });
}

}  // namespace cresset::kernels::portable
