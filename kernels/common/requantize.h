// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"
#include "kernels/common/integer_elements.h"
#include "kernels/common/kernel.h"
#include "ops/requantize.h"

// From an integer row's arguments to the requantization that they ask for.
namespace cresset::kernels {

using ops::QuantRange;

inline QuantRange quant_range(int64_t zero, int64_t min, int64_t max) {
  return {static_cast<int32_t>(zero), static_cast<int32_t>(min), static_cast<int32_t>(max)};
}

// y[i] = round_into(range, v[i]).
void round_run(const QuantRange& range, const float* v, int64_t count, int32_t* y);

// How one channel's sums are requantized.
class Requantizer {
 public:
  static Requantizer floating(const QuantRange& range, float multiplier);
  static Requantizer fixed(const QuantRange& range, int32_t multiplier, int32_t shift);
  static Requantizer narrow(const QuantRange& range, int32_t multiplier, int32_t pre_shift,
                            int32_t shift);
  // The form `fixed` of an int[] argument [multiplier, shift], where it is not empty, or `float`.
  static Requantizer of(const QuantRange& range, float multiplier, IntSpan fixed);

  int32_t operator()(int32_t sum) const {
    return float_ ? ops::requantize_float(range_, sum, factor_)
                  : ops::requantize_narrow(range_, sum, multiplier_, pre_shift_, shift_);
  }
  // Requantizes `count` sums to outputs that lie `step` apart.
  void run(const uint32_t* sums, int64_t count, const IntegerOut& out, int64_t step) const;
  // The same for neighbouring outputs, each with its own requantizer, all of the same form.
  static void run_each(const Requantizer* requantizers, const uint32_t* sums, int64_t count,
                       const IntegerOut& out);

 private:
  QuantRange range_;
  bool float_ = false;
  float factor_ = 0;
  int32_t multiplier_ = 0, pre_shift_ = 0, shift_ = 1;
};

// The arguments of rows with weights: scale, shift and their neighbours.
struct ChannelScales {
  const Tensor& scale;
  const Tensor* shift;
  double x_scale, y_scale;
  QuantRange range;

  // Whether every multiplier and shift is in its form's range: data is not trusted.
  Status check(KernelContext& context) const;
  Requantizer of(int64_t channel) const;
};

}  // namespace cresset::kernels
