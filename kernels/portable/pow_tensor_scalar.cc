// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/arithmetic.h"
#include "kernels/common/complex_elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self to the power of exponent. Integers wrap and take no negative exponent.
Status pow_tensor_scalar(KernelContext& context, const Tensor& self, Scalar exponent, Tensor& out) {
  if (is_complex(out.dtype())) {
    return complex_power(context, self, exponent, out);
  }
  if (is_integral(out.dtype()) && exponent.to_int() < 0) {
    return context.fail(Status::kInvalidArgument, "integers cannot be raised to the power {}",
                        exponent.to_int());
  }
  const double by = exponent.to_double();
  if (by == 2) {
    return unary(context, self, out, [](auto x) { return times(x, x); });
  }
  if (by == 3) {
    return unary(context, self, out, [](auto x) { return times(times(x, x), x); });
  }
  if (by == 0.5) {
    return unary_floating(context, self, out, [](auto x) { return std::sqrt(x); });
  }
  if (by == -0.5) {
    return unary_floating(context, self, out, [](auto x) { return 1 / std::sqrt(x); });
  }
  return binary(context, self, exponent, out, [](auto x, auto y) { return power(x, y); });
}

}  // namespace cresset::kernels::portable
