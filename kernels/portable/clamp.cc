// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/activation.h"
#include "kernels/portable/kernels.h"

namespace cresset::kernels::portable {

// out = self within [min, max]; max where they cross, NaN where any is NaN. One bound may be
// absent.
Status clamp(KernelContext& context, const Tensor& self, Optional<Scalar> min, Optional<Scalar> max,
             Tensor& out) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const bool has_low = min.has_value();
    const bool has_high = max.has_value();
    const C low = has_low ? min->to<C>() : C(0);
    const C high = has_high ? max->to<C>() : C(0);
    return map<C>(context, out, out.dtype(), self, [=](C x) {
      const C raised = has_low ? greater_of(x, low) : x;
      return has_high ? smaller_of(raised, high) : raised;
    });
  });
}

}  // namespace cresset::kernels::portable
