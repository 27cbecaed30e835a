// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstring>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self * P(X <= self) for a standard normal X; `approximate` "tanh" takes an approximation of
// P.
Status gelu(KernelContext& context, const Tensor& self, const char* approximate, Tensor& out) {
  if (std::strcmp(approximate, "tanh") == 0) {
    return unary_floating(context, self, out, [](auto x) {
      using C = decltype(x);
      const C inner = static_cast<C>(0.79788456080286535588) * (x + C(0.044715) * x * x * x);
      return C(0.5) * x * (1 + std::tanh(inner));
    });
  }
  if (std::strcmp(approximate, "none") != 0) {
    return context.fail(Status::kInvalidArgument,
                        "approximate is \"{}\", expected \"none\" or \"tanh\"", approximate);
  }
  return unary_floating(context, self, out, [](auto x) {
    using C = decltype(x);
    return C(0.5) * x * (1 + std::erf(x * static_cast<C>(0.70710678118654752440)));
  });
}

}  // namespace cresset::kernels::portable
