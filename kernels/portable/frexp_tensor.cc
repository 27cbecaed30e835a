// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// Infinities and NaN are their own mantissa, with exponent 0.
Status frexp_tensor(KernelContext& context, const Tensor& self, Tensor& mantissa,
                    Tensor& exponent) {
  CRESSET_TRY(unary_floating(context, self, mantissa, [](auto x) {
    int power = 0;
    return std::isfinite(x) ? std::frexp(x, &power) : x;
  }));
  return dispatch_compute_floating(context, self.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    return map<C, int64_t>(context, exponent, kDTypeOf<C>, self, [](C x) {
      int power = 0;
      if (std::isfinite(x)) {
        std::frexp(x, &power);
      }
      return static_cast<int64_t>(power);
    });
  });
}

}  // namespace cresset::kernels::portable
