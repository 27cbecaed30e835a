// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ops/requantize.h"

// From scales to the integers that integer rows carry, chosen ahead of time [host]. A scale here is
// what one unit of a sum is worth in units of the output: x_scale * w_scale / y_scale.
namespace cresset::ops {

// The forms in which integer rows requantize (docs/quantization.md).
enum class Requantization : uint8_t { kFloat, kFixed, kNarrow };

// Arguments of requantize_fixed.
struct FixedMultiplier {
  int32_t multiplier;
  int32_t shift;
};

// The fixed multiplier nearest to `scale`. Of 31 bits where the scale is in [2^-24, 2^30). The
// shift is at least 33 for scales below 1/4 (one `mulh` and a rounding shift compute it) and at
// most 54 (there is room for a zero point of 8 bits inside that shift). Too great scales give the
// greatest multiplier; those that are not positive numbers 0.
FixedMultiplier fixed_multiplier(double scale);

// Arguments of requantize_narrow.
struct NarrowMultiplier {
  int32_t multiplier;
  int32_t pre_shift;
  int32_t shift;
};

// What a channel's sums can be.
struct SumBounds {
  int64_t least = 0;
  int64_t greatest = 0;

  // Adds `weight` times any number in [low, high].
  void add(int64_t weight, int64_t low, int64_t high) {
    least += weight * (weight < 0 ? high : low);
    greatest += weight * (weight < 0 ? low : high);
  }
  void add(int64_t bias) {
    least += bias;
    greatest += bias;
  }
};

// A narrow multiplier whose results are for all sums within the bounds at most one step from those
// of fixed_multiplier(scale), none where there is no such. Either the pre-shifted sum times the
// multiplier, with the zero point and the rounding inside, fits 32 bits (one `mul`); or the
// pre-shift is 0 and the shift in [17, 38] (two 16-bit products, the lower one cut by 16 bits).
std::optional<NarrowMultiplier> narrow_multiplier(double scale, const SumBounds& bounds,
                                                  const QuantRange& range);

// `fixed` of cresset::qadd: everything fits 32 bits for 8-bit operands and outputs.
std::array<int64_t, 3> add_multipliers(double a_scale, double b_scale, double y_scale);

// `fixed` of cresset::qavg_pool2d and qmean for means over `count` elements.
std::array<int64_t, 3> mean_multiplier(double x_scale, double y_scale, int64_t count);

// `table` of cresset::qsoftmax for lines of up to `length` elements: exp(-d * x_scale) with
// min(22, 30 - ceil(log2(length))) bits behind the point, so that sums stay within 31 bits.
std::array<int32_t, 256> softmax_table(double x_scale, int64_t length);

}  // namespace cresset::ops
