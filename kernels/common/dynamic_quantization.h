// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace cresset::kernels {

// How floats become integers in [low, high] by their own extremes (docs/quantization.md).
struct DynamicRule {
  bool symmetric;
  bool in_double;  // as quantized_decomposed's operators per token compute
  float low, high;
  float eps;  // the least scale
};

// The least and the greatest of zero and some numbers; NaN stays.
struct Extremes {
  float low = 0, high = 0;

  void add(const float* x, int64_t step, int64_t count);
};

struct DynamicScale {
  float scale;
  float zero;  // an integer
  float low, high;
  bool in_double;

  DynamicScale(const DynamicRule& rule, const Extremes& extremes);
  // to[i] = the integer for x[i * step], less the zero point; NaN gives `low`.
  void quantize(const float* x, int64_t step, int64_t count, int16_t* to) const;
};

}  // namespace cresset::kernels
