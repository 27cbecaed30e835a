// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/requantize.h"

#include "kernels/common/elementwise.h"

namespace cresset::kernels::portable {

// y = (x - x_zero) * x_scale in y's scale and zero point. Float: as the two steps, each rounded to
// float32.
Status requantize(KernelContext& context, const Tensor& x, double x_scale, int64_t x_zero,
                  double y_scale, int64_t y_zero, int64_t y_min, int64_t y_max, IntSpan fixed,
                  Optional<DType>, Tensor& out) {
  const QuantRange range = quant_range(y_zero, y_min, y_max);
  const float scale = static_cast<float>(x_scale);
  const float inverse = static_cast<float>(1.0 / y_scale);
  const bool in_floats = fixed.empty();
  const Requantizer requantize = Requantizer::of(range, scale, fixed);
  return map<int64_t>(context, out, DType::kInt64, x, [=](int64_t value) -> int64_t {
    const int32_t difference = static_cast<int32_t>(value - x_zero);
    return in_floats ? ops::round_into(range, static_cast<float>(difference) * scale * inverse)
                     : requantize(difference);
  });
}

}  // namespace cresset::kernels::portable
