// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/requantize.h"

namespace cresset::kernels {

// The requantization of means: sums of differences, divided by how many there are.
class MeanRequantizer {
 public:
  // `fixed` is empty, or [multiplier, shift, count]: the multiplier of sums of that many. Means
  // over `usual` elements are prepared for.
  MeanRequantizer(const QuantRange& range, double x_scale, double y_scale, IntSpan fixed,
                  int64_t usual)
      : range_(range),
        x_scale_(x_scale),
        y_scale_(y_scale),
        fixed_(fixed),
        usual_(usual),
        factor_(factor(usual)),
        multiplier_(multiplier(usual)) {}

  // The quantized mean of `count` differences that sum up to `sum`; of none: 0.
  int32_t operator()(int32_t sum, int64_t count) const {
    if (fixed_.empty()) {
      return ops::requantize_float(range_, sum, count == usual_ ? factor_ : factor(count));
    }
    return ops::shift_into(range_, sum * (count == usual_ ? multiplier_ : multiplier(count)),
                           static_cast<int32_t>(fixed_[1]));
  }

 private:
  float factor(int64_t count) const {
    return count == 0 ? 0.0f
                      : static_cast<float>(x_scale_ / (y_scale_ * static_cast<double>(count)));
  }
  int64_t multiplier(int64_t count) const {
    return count == 0 || fixed_.empty() ? 0 : (fixed_[0] * fixed_[2] + count / 2) / count;
  }

  QuantRange range_;
  double x_scale_, y_scale_;
  IntSpan fixed_;
  int64_t usual_;
  float factor_;
  int64_t multiplier_;
};

}  // namespace cresset::kernels
