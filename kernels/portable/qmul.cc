// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_elementwise.h"
#include "kernels/common/requantize.h"

namespace cresset::kernels::portable {

// y = a * b. Float: (a - a_zero) * a_scale times (b - b_zero) * b_scale, each step rounded to
// float32, times 1 / y_scale. Fixed: the product of the differences, requantized.
Status qmul(KernelContext&, const Tensor& a, const Tensor& b, double a_scale, int64_t a_zero,
            double b_scale, int64_t b_zero, double y_scale, int64_t y_zero, int64_t y_min,
            int64_t y_max, IntSpan fixed, Optional<DType>, Tensor& out) {
  const QuantRange range = quant_range(y_zero, y_min, y_max);
  if (!fixed.empty()) {
    const int32_t multiplier = static_cast<int32_t>(fixed[0]);
    const int32_t shift = static_cast<int32_t>(fixed[1]);
    map_differences<int32_t>(
        a, a_zero, b, b_zero, out, [](int32_t x, int32_t y) { return x * y; },
        [=](const int32_t* products, int64_t count, int32_t* y) {
          for (int64_t i = 0; i < count; ++i) {
            y[i] = ops::requantize_fixed(range, products[i], multiplier, shift);
          }
        });
    return Status::kOk;
  }
  const float sa = static_cast<float>(a_scale), sb = static_cast<float>(b_scale);
  const float inverse = static_cast<float>(1.0 / y_scale);
  map_differences<float>(
      a, a_zero, b, b_zero, out,
      [=](int32_t x, int32_t y) {
        return (static_cast<float>(x) * sa) * (static_cast<float>(y) * sb) * inverse;
      },
      [&](const float* v, int64_t count, int32_t* y) { round_run(range, v, count, y); });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
