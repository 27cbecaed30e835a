// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <type_traits>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self rounded up. Integers stay as they are.
Status ceil(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary(context, self, out, [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>) {
      return x;
    } else {
      return std::ceil(x);
    }
  });
}

}  // namespace cresset::kernels::portable
