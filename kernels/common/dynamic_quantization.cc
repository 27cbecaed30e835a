// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dynamic_quantization.h"

#include <cmath>

namespace cresset::kernels {

namespace {

float clamped(float x, float low, float high) { return !(x > low) ? low : x < high ? x : high; }

float zero_point(const DynamicRule& rule, const Extremes& extremes, float scale) {
  const float low = extremes.low / scale, high = extremes.high / scale;
  if (rule.in_double) {
    const float zero =
        (low + rule.low) + (high + rule.high) > 0 ? rule.low - low : rule.high - high;
    return std::nearbyint(clamped(zero, rule.low, rule.high));
  }
  return clamped(rule.low - std::nearbyint(low), rule.low, rule.high);
}

}  // namespace

void Extremes::add(const float* x, int64_t step, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float v = x[i * step];
    low = v < low || v != v ? v : low;
    high = v > high || v != v ? v : high;
  }
}

DynamicScale::DynamicScale(const DynamicRule& rule, const Extremes& extremes)
    : low(rule.low), high(rule.high), in_double(rule.in_double) {
  const float steps = rule.high - rule.low;
  scale = rule.symmetric
              ? (-extremes.low > extremes.high ? -extremes.low : extremes.high) / (steps / 2)
              : (extremes.high - extremes.low) / steps;
  scale = scale < rule.eps ? rule.eps : scale;
  zero = rule.symmetric ? std::floor((low + high + 1) / 2) : zero_point(rule, extremes, scale);
}

void DynamicScale::quantize(const float* x, int64_t step, int64_t count, int16_t* to) const {
  if (in_double) {
    const double inverse = 1.0 / static_cast<double>(scale);
    for (int64_t i = 0; i < count; ++i) {
      const double q =
          std::nearbyint(static_cast<double>(x[i * step]) * inverse + static_cast<double>(zero));
      to[i] = static_cast<int16_t>(clamped(static_cast<float>(q), low, high) - zero);
    }
    return;
  }
  const float inverse = 1.0f / scale;
  for (int64_t i = 0; i < count; ++i) {
    const float q = std::nearbyint(x[i * step] * inverse) + zero;
    to[i] = static_cast<int16_t>(clamped(q, low, high) - zero);
  }
}

}  // namespace cresset::kernels
