// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/requantize.h"

namespace cresset::kernels {

// The requantization of means: sums of differences, divided by how many there are.
class MeanRequantizer {
 public:
  // `fixed` is empty, or [multiplier, shift, count]: the multiplier of sums of that many.
  MeanRequantizer(const QuantRange& range, double x_scale, double y_scale, IntSpan fixed)
      : range_(range), x_scale_(x_scale), y_scale_(y_scale), fixed_(fixed) {}

  // The quantized mean of `count` differences that sum up to `sum`; 0 of them are y_zero.
  int32_t operator()(int32_t sum, int64_t count) {
    if (count != count_) {
      prepare(count);
    }
    return fixed_.empty()
               ? ops::requantize_float(range_, sum, factor_)
               : ops::shift_into(range_, sum * multiplier_, static_cast<int32_t>(fixed_[1]));
  }

 private:
  void prepare(int64_t count) {
    count_ = count;
    if (fixed_.empty()) {
      factor_ = count == 0 ? 0.0f
                           : static_cast<float>(x_scale_ / (y_scale_ * static_cast<double>(count)));
    } else {
      multiplier_ = count == 0 ? 0 : (fixed_[0] * fixed_[2] + count / 2) / count;
    }
  }

  QuantRange range_;
  double x_scale_, y_scale_;
  IntSpan fixed_;
  int64_t count_ = -1;
  float factor_ = 0;
  int64_t multiplier_ = 0;
};

}  // namespace cresset::kernels
