// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

// How the integer rows (cresset::qconv2d and its kin) turn a 32-bit sum into a quantized number:
// the one definition that kernels, passes and backends share. docs/quantization.md tells it in
// words.
namespace cresset::ops {

// A quantized output: its zero point, and the bounds that it is clamped to. All three lie in the
// output's dtype, which has 8 or 16 bits.
struct QuantRange {
  int32_t zero = 0;
  int32_t min = 0;
  int32_t max = 0;
};

inline int32_t clamp_to(const QuantRange& range, int32_t y) {
  return y < range.min ? range.min : y > range.max ? range.max : y;
}

// The integer nearest to `v`, halves to the even one, plus the zero point; clamped. NaN gives
// range.min. Clamped first, so that the sum below rounds exactly.
inline int32_t round_into(const QuantRange& range, float v) {
  constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23: its unit in the last place is 1
  const float low = static_cast<float>(range.min - range.zero);
  const float high = static_cast<float>(range.max - range.zero);
  v = v > low ? v : low;
  v = v < high ? v : high;
  return range.zero + static_cast<int32_t>((v + kRounder) - kRounder);
}

// The form `float`: sum * multiplier in float32.
inline int32_t requantize_float(const QuantRange& range, int32_t sum, float multiplier) {
  return round_into(range, static_cast<float>(sum) * multiplier);
}

// The multiplier of that form.
inline float float_multiplier(double x_scale, double w_scale, double y_scale) {
  return static_cast<float>(x_scale * w_scale / y_scale);
}

// floor((product + 2^(shift - 1)) / 2^shift) + zero, clamped; shift in [1, 62], |product| <= 2^62.
inline int32_t shift_into(const QuantRange& range, int64_t product, int32_t shift) {
  if (shift > 32) {  // all of the low word is below the rounding bit: 32-bit arithmetic is exact
    const int32_t high = static_cast<int32_t>(product >> 32);
    const int32_t half = int32_t{1} << (shift - 33);
    return clamp_to(range, ((high + half) >> (shift - 32)) + range.zero);
  }
  const int64_t y = ((product + (int64_t{1} << (shift - 1))) >> shift) + range.zero;
  return y < range.min ? range.min : y > range.max ? range.max : static_cast<int32_t>(y);
}

// The form `fixed`: sum * multiplier / 2^shift, rounded once; multiplier in [0, 2^31).
inline int32_t requantize_fixed(const QuantRange& range, int32_t sum, int32_t multiplier,
                                int32_t shift) {
  return shift_into(range, static_cast<int64_t>(sum) * multiplier, shift);
}

// The form `narrow`: floor(sum / 2^pre_shift) * multiplier / 2^shift, rounded once; multiplier in
// [0, 2^15), pre-shift in [0, 31].
inline int32_t requantize_narrow(const QuantRange& range, int32_t sum, int32_t multiplier,
                                 int32_t pre_shift, int32_t shift) {
  return requantize_fixed(range, sum >> pre_shift, multiplier, shift);
}

// 1 / (sum * y_scale), as softmax needs it: an element is power * multiplier / 2^shift.
struct SoftmaxScale {
  uint32_t multiplier;
  int32_t shift;
};

// `sum` of the powers of a line, and 1 / y_scale = multiplier / 2^shift. One 32-bit division:
// the reciprocal of the sum has 16 bits, which changes an 8-bit result by less than 1/100.
inline SoftmaxScale softmax_scale(uint32_t sum, uint32_t multiplier, int32_t shift) {
  if (sum == 0) {
    return {0, 1};
  }
  int32_t zeros = 0;
  for (; (sum & 0x80000000u) == 0; sum <<= 1) {
    ++zeros;
  }
  const uint32_t divisor = (sum >> 16) + (sum >> 15 & 1u);  // [2^15, 2^16]
  const uint32_t reciprocal = 0xffffffffu / divisor;        // [2^16 - 1, 2^17)
  const uint64_t product = static_cast<uint64_t>(reciprocal << 15) * multiplier;
  const int32_t all = 31 + shift - zeros;
  return all > 62 || all < 1 ? SoftmaxScale{0, 1}
                             : SoftmaxScale{static_cast<uint32_t>(product >> 32), all};
}

inline int32_t softmax_element(const QuantRange& range, uint32_t power, const SoftmaxScale& scale) {
  return shift_into(range, static_cast<int64_t>(static_cast<uint64_t>(power) * scale.multiplier),
                    scale.shift);
}

}  // namespace cresset::ops
