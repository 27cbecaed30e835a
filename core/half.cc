// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/half.h"

namespace cresset::half_bits {

float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f) {
    return float_of(sign | 0x7f800000u | (mantissa << 13));
  }
  if (exponent != 0) {
    return float_of(sign | ((exponent + 112) << 23) | (mantissa << 13));
  }
  if (mantissa == 0) {
    return float_of(sign);
  }
  uint32_t shift = 0;
  while ((mantissa & 0x400u) == 0) {
    mantissa <<= 1;
    ++shift;
  }
  return float_of(sign | ((113 - shift) << 23) | ((mantissa & 0x3ffu) << 13));
}

uint16_t float_to_half(float value) {
  const uint32_t bits = bits_of(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  }
  if (magnitude >= 0x477ff000u) {  // rounds to 65536 or more
    return static_cast<uint16_t>(sign | 0x7c00u);
  }
  if (magnitude < 0x38800000u) {  // subnormal half: shift the 24-bit significand into place
    const uint32_t exponent = magnitude >> 23;
    if (exponent < 102) {
      return sign;
    }
    const uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    const uint32_t shift = 126 - exponent;
    const uint32_t half = significand >> shift;
    const uint32_t rest = significand & ((1u << shift) - 1);
    const uint32_t middle = 1u << (shift - 1);
    const uint32_t up = (rest > middle || (rest == middle && (half & 1u))) ? 1 : 0;
    return static_cast<uint16_t>(sign | (half + up));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

}  // namespace cresset::half_bits
