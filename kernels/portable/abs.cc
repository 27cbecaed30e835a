// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <type_traits>

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the absolute value of self; the lowest integer wraps to itself.
Status abs(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary(context, self, out, [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>) {
      return x < 0 ? minus<int64_t>(0, x) : x;
    } else {
      return std::fabs(x);
    }
  });
}

}  // namespace cresset::kernels::portable
