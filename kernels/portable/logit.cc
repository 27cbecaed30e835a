// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = log(self / (1 - self)), self taken within [eps, 1 - eps] where eps is given.
Status logit(KernelContext& context, const Tensor& self, Optional<double> eps, Tensor& out) {
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const bool bounded = eps.has_value();
    const C low = static_cast<C>(eps.value_or(0));
    const C high = 1 - low;
    return map<C>(context, out, kDTypeOf<C>, self, [=](C x) {
      const C inside = !bounded ? x : x < low ? low : x > high ? high : x;
      return std::log(inside / (1 - inside));
    });
  });
}

}  // namespace cresset::kernels::portable
