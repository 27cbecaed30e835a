// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstring>

namespace cresset {

namespace half_bits {

inline uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline float float_of(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// IEEE 754 binary16 <-> binary32; to half rounds to nearest, ties to even; NaN stays NaN. Without
// branches, so that loops over them vectorise.
inline float half_to_float(uint16_t half) {
  const uint32_t magnitude = static_cast<uint32_t>(half & 0x7fffu) << 13;
  // Below the normal halves: 2^-14 + significand, minus 2^-14, which is exact.
  const uint32_t tiny = bits_of(float_of(magnitude + 0x38800000u) - float_of(0x38800000u));
  const uint32_t normal = magnitude + 0x38000000u;
  const uint32_t bits = magnitude < 0x00800000u    ? tiny
                        : magnitude >= 0x0f800000u ? normal + 0x38000000u  // infinity, NaN
                                                   : normal;
  return float_of(bits | static_cast<uint32_t>(half & 0x8000u) << 16);
}
inline uint16_t float_to_half(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13;
  // Below the normal halves: adding 0.5 rounds to a multiple of 2^-24.
  const uint32_t tiny = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  const uint32_t half = magnitude > 0x7f800000u    ? nan
                        : magnitude >= 0x47800000u ? 0x7c00u
                        : magnitude < 0x38800000u  ? tiny
                                                   : normal;
  return static_cast<uint16_t>(half | ((bits >> 16) & 0x8000u));
}

inline float bfloat16_to_float(uint16_t bits) {
  return float_of(static_cast<uint32_t>(bits) << 16);
}
inline uint16_t float_to_bfloat16(float value) {
  const uint32_t bits = bits_of(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return static_cast<uint16_t>((bits >> 16) | 0x40u);
  }
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace half_bits

// 16-bit floats for storage. Arithmetic happens in float: every operand converts implicitly, every
// result is assigned back with one rounding.
struct Half {
  Half() = default;
  Half(float value) : bits(half_bits::float_to_half(value)) {}       // NOLINT(runtime/explicit)
  operator float() const { return half_bits::half_to_float(bits); }  // NOLINT(runtime/explicit)
  uint16_t bits;
};

struct BFloat16 {
  BFloat16() = default;
  BFloat16(float value) : bits(half_bits::float_to_bfloat16(value)) {}   // NOLINT(runtime/explicit)
  operator float() const { return half_bits::bfloat16_to_float(bits); }  // NOLINT(runtime/explicit)
  uint16_t bits;
};

// Storage of a complex number: real part, then imaginary part.
template <class T>
struct Complex {
  T re;
  T im;
};

// An element that no kernel computes with.
struct Opaque8 {
  uint8_t bits;
};

}  // namespace cresset
