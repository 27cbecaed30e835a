// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "kernels/common/activation.h"
#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self within [min, max]; max where they cross, NaN where any is NaN. One bound may be
// absent.
Status clamp(KernelContext& context, const Tensor& self, Optional<Scalar> min, Optional<Scalar> max,
             Tensor& out) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    using Limits = std::numeric_limits<C>;
    const C low = min.has_value()        ? min->to<C>()
                  : Limits::has_infinity ? -Limits::infinity()
                                         : Limits::min();
    const C high = max.has_value()        ? max->to<C>()
                   : Limits::has_infinity ? Limits::infinity()
                                          : Limits::max();
    if (low != low || high != high) {
      return fill(context, out, Scalar::of_double(low != low ? low : high));
    }
    return map<C>(context, out, out.dtype(), self, [=](C x) { return clamp_to(x, low, high); });
  });
}

}  // namespace cresset::kernels::portable
