// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/multipliers.h"

#include <algorithm>
#include <cmath>

namespace cresset::ops {

namespace {

constexpr int kGreatestShift = 54;
constexpr int64_t kGreatestMultiplier = 0x7fffffff;

int64_t magnitude(const SumBounds& bounds) {
  return std::max(std::abs(bounds.least), std::abs(bounds.greatest));
}

// The multiplier of `bits` bits for `scale` after `pre_shift`; shift below 1 where there is none.
NarrowMultiplier narrow_of(double scale, int bits, int pre_shift) {
  int exponent;
  const double fraction = std::frexp(std::ldexp(scale, pre_shift), &exponent);
  int32_t multiplier = static_cast<int32_t>(std::lround(std::ldexp(fraction, bits)));
  if (multiplier == 1 << bits) {
    multiplier >>= 1;
    ++exponent;
  }
  return {multiplier, pre_shift, bits - exponent};
}

// How far a narrow result, before rounding, can be from the exact one, where neither is clamped.
double narrow_error(double scale, const NarrowMultiplier& narrow, int64_t sum_magnitude,
                    const QuantRange& range) {
  const double factor = std::ldexp(narrow.multiplier, -narrow.shift);  // of the pre-shifted sum
  const double effective = std::ldexp(factor, -narrow.pre_shift);
  const double reach = std::max(range.max - range.zero, range.zero - range.min) + 2.0;
  const double sum =
      std::min(static_cast<double>(sum_magnitude), reach / std::min(scale, effective));
  return sum * std::abs(scale - effective) + (narrow.pre_shift == 0 ? 0.0 : factor);
}

bool fits_one_product(const NarrowMultiplier& narrow, int64_t sum_magnitude,
                      const QuantRange& range) {
  const int64_t zero = std::abs(static_cast<int64_t>(range.zero));
  const int64_t product = ((sum_magnitude >> narrow.pre_shift) + 1) * narrow.multiplier;
  return narrow.shift >= 1 && narrow.shift <= 31 &&
         product + (zero << narrow.shift) + (int64_t{1} << (narrow.shift - 1)) <=
             kGreatestMultiplier;
}

bool fits_two_products(const NarrowMultiplier& narrow) {
  return narrow.pre_shift == 0 && narrow.shift >= 17 && narrow.shift <= 38;
}

}  // namespace

FixedMultiplier fixed_multiplier(double scale) {
  if (!(scale > 0)) {
    return {0, 33};
  }
  int exponent = 0;
  std::frexp(scale, &exponent);
  const int shift = std::min(31 - exponent, kGreatestShift);
  if (std::isinf(scale) || shift < 1) {
    return {kGreatestMultiplier, 1};
  }
  const int64_t multiplier = std::llround(std::ldexp(scale, shift));
  if (multiplier <= kGreatestMultiplier) {
    return {static_cast<int32_t>(multiplier), shift};
  }
  return shift == 1 ? FixedMultiplier{kGreatestMultiplier, 1} : FixedMultiplier{1 << 30, shift - 1};
}

std::optional<NarrowMultiplier> narrow_multiplier(double scale, const SumBounds& bounds,
                                                  const QuantRange& range) {
  if (!(scale > 0) || std::isinf(scale)) {
    return std::nullopt;
  }
  constexpr double kTolerance = 0.5;  // well below the step at which results could be two apart
  const int64_t sums = magnitude(bounds);
  for (int pre_shift = 0; pre_shift <= 16; ++pre_shift) {
    for (int bits = 15; bits >= 12; --bits) {
      const NarrowMultiplier narrow = narrow_of(scale, bits, pre_shift);
      if (fits_one_product(narrow, sums, range) &&
          narrow_error(scale, narrow, sums, range) <= kTolerance) {
        return narrow;
      }
    }
  }
  const NarrowMultiplier narrow = narrow_of(scale, 15, 0);
  return fits_two_products(narrow) && narrow_error(scale, narrow, sums, range) <= kTolerance
             ? std::optional(narrow)
             : std::nullopt;
}

std::array<int64_t, 3> add_multipliers(double a_scale, double b_scale, double y_scale) {
  constexpr int kBits = 21;  // 255 * 2 * 2^21 + 255 * 2^21 + 2^20 is below 2^31
  const double a = a_scale / y_scale, b = b_scale / y_scale;
  int exponent = 0;
  std::frexp(std::max(std::abs(a), std::abs(b)), &exponent);
  const int shift = std::clamp(kBits - exponent, 1, kBits);
  const auto multiplier = [&](double scale) {
    const double limit = std::ldexp(1.0, kBits);
    return std::llround(std::clamp(std::ldexp(scale, shift), -limit, limit));
  };
  return {multiplier(a), multiplier(b), shift};
}

std::array<int64_t, 3> mean_multiplier(double x_scale, double y_scale, int64_t count) {
  const FixedMultiplier fixed =
      fixed_multiplier(x_scale / (y_scale * static_cast<double>(std::max<int64_t>(count, 1))));
  return {fixed.multiplier, fixed.shift, std::max<int64_t>(count, 1)};
}

std::array<int32_t, 256> softmax_table(double x_scale, int64_t length) {
  int bits = 22;
  while (bits > 0 && (int64_t{1} << (30 - bits)) < length) {
    --bits;
  }
  std::array<int32_t, 256> table;
  for (size_t d = 0; d < table.size(); ++d) {
    table[d] = static_cast<int32_t>(
        std::lround(std::ldexp(std::exp(-static_cast<double>(d) * x_scale), bits)));
  }
  return table;
}

}  // namespace cresset::ops
