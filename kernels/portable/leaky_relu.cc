// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self where it is positive, else negative_slope * self.
Status leaky_relu(KernelContext& context, const Tensor& self, Scalar negative_slope, Tensor& out) {
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const C slope = negative_slope.to<C>();
    return map<C>(context, out, kDTypeOf<C>, self, [=](C x) { return x > 0 ? x : x * slope; });
  });
}

}  // namespace cresset::kernels::portable
