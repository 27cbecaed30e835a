// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self rounded to the nearest whole number, halves to the even one. Integers stay as they
// are.
Status round(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary(context, self, out, [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>) {
      return x;
    } else {
      // Above this, all numbers are whole; below, adding it leaves no bits for a fraction.
      using C = decltype(x);
      const C limit = 1 / std::numeric_limits<C>::epsilon();
      const C bias = std::copysign(limit, x);
      return std::fabs(x) < limit ? std::copysign((x + bias) - bias, x) : x;
    }
  });
}

}  // namespace cresset::kernels::portable
