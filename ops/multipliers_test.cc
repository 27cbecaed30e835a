// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/multipliers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace cresset::ops {
namespace {

constexpr QuantRange kInt8 = {0, -128, 127};

double real(const FixedMultiplier& m) { return std::ldexp(m.multiplier, -m.shift); }

TEST(FixedMultiplier, IsNearTheScale) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponents(-23, 29);
  for (int i = 0; i < 10000; ++i) {
    const double scale = std::exp2(exponents(random));
    const FixedMultiplier m = fixed_multiplier(scale);
    EXPECT_NEAR(real(m) / scale, 1, std::exp2(-31)) << scale;
    EXPECT_GE(m.multiplier, 1 << 30);
    EXPECT_EQ(m.shift >= 33, scale < 0.25 * (1 - std::exp2(-32))) << scale;
  }
}

TEST(FixedMultiplier, TakesAnyNumber) {
  for (const double scale : {0.0, -1.0, std::nan("")}) {
    EXPECT_EQ(fixed_multiplier(scale).multiplier, 0) << scale;
  }
  EXPECT_EQ(fixed_multiplier(std::numeric_limits<double>::denorm_min()).multiplier, 0);
  EXPECT_EQ(fixed_multiplier(std::exp2(-54)).multiplier, 1);
  EXPECT_EQ(fixed_multiplier(std::exp2(-54)).shift, 54);
  for (const double scale : {std::exp2(30), 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(fixed_multiplier(scale).multiplier, 0x7fffffff) << scale;
    EXPECT_EQ(fixed_multiplier(scale).shift, 1) << scale;
  }
  // Rounds up to a power of two: one bit more, one shift less.
  const FixedMultiplier one = fixed_multiplier(std::nextafter(1.0, 0.0));
  EXPECT_EQ(one.multiplier, 1 << 30);
  EXPECT_EQ(one.shift, 30);
}

// What a core without 64-bit arithmetic does: the high word of the product, and one rounding shift
// that has the zero point inside.
TEST(FixedMultiplier, IsTheHighWordAndOneShift) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const FixedMultiplier m =
        fixed_multiplier(std::exp2(-2.01 - static_cast<double>(random() % 4000) / 100));
    ASSERT_GE(m.shift, 33);
    const int32_t sum = i < 4 ? (i % 2 == 0 ? INT32_MIN : INT32_MAX)
                              : static_cast<int32_t>(random()) >> random() % 32;
    const QuantRange range = {static_cast<int32_t>(random() % 256), 0, 255};
    const int n = m.shift - 32;
    const int32_t high = static_cast<int32_t>(static_cast<int64_t>(sum) * m.multiplier >> 32);
    int32_t inside;
    ASSERT_FALSE(__builtin_add_overflow(high, range.zero << n, &inside));
    ASSERT_FALSE(__builtin_add_overflow(inside, 1 << (n - 1), &inside));
    ASSERT_EQ(requantize_fixed(range, sum, m.multiplier, m.shift), clamp_to(range, inside >> n));
  }
}

TEST(NarrowMultiplier, IsAtMostOneStepFromFixed) {
  std::mt19937_64 random(3);
  int found = 0, differ = 0, one_product = 0;
  for (int i = 0; i < 3000; ++i) {
    const double scale = std::exp2(-1 - static_cast<double>(random() % 2000) / 100.0);
    const int64_t reach = static_cast<int64_t>(random() % 3000) * 1000;
    const SumBounds bounds = {-reach, reach / 2};
    const QuantRange range = {static_cast<int32_t>(random() % 256) - 128, -128, 127};
    const auto narrow = narrow_multiplier(scale, bounds, range);
    if (!narrow) {
      continue;
    }
    ++found;
    const FixedMultiplier fixed = fixed_multiplier(scale);
    for (int k = 0; k < 300; ++k) {
      const int32_t sum =
          k == 0
              ? static_cast<int32_t>(-reach)
              : static_cast<int32_t>(static_cast<int64_t>(random() % (reach * 3 / 2 + 1)) - reach);
      const int32_t want = requantize_fixed(range, sum, fixed.multiplier, fixed.shift);
      const int32_t got =
          requantize_narrow(range, sum, narrow->multiplier, narrow->pre_shift, narrow->shift);
      ASSERT_LE(std::abs(got - want), 1) << scale << " " << sum;
      differ += got != want;
      // On a small core: one product of 32 bits, or two of 16 bits.
      if (narrow->pre_shift > 0 || narrow->shift < 17) {
        int32_t product;
        ASSERT_FALSE(
            __builtin_mul_overflow(sum >> narrow->pre_shift, narrow->multiplier, &product));
        ASSERT_FALSE(__builtin_add_overflow(product, range.zero * (1 << narrow->shift), &product));
        ASSERT_FALSE(__builtin_add_overflow(product, 1 << (narrow->shift - 1), &product));
        ASSERT_EQ(got, clamp_to(range, product >> narrow->shift));
        ++one_product;
      } else {
        const int32_t low = (sum & 0xffff) * narrow->multiplier >> 16;
        const int32_t high = (sum >> 16) * narrow->multiplier + low;
        const int n = narrow->shift - 16;
        ASSERT_EQ(got, clamp_to(range, (high + (range.zero * (1 << n)) + (1 << (n - 1))) >> n));
      }
    }
  }
  EXPECT_GT(found, 1500);
  EXPECT_GT(differ, 0);
  EXPECT_GT(one_product, 0);
}

TEST(NarrowMultiplier, IsRefusedWhereTooCoarse) {
  EXPECT_FALSE(narrow_multiplier(0, {-100, 100}, kInt8));
  EXPECT_FALSE(narrow_multiplier(0.7, {-2000000000, 2000000000}, kInt8));
  EXPECT_TRUE(narrow_multiplier(0.7, {-1000, 1000}, kInt8));
}

// The worked example of docs/quantization.md.
TEST(Requantize, WorkedExample) {
  constexpr int32_t kSum = 30 + 190 * 100 + 5 * -50 + 0 * 7;
  constexpr QuantRange kRange = {3, 0, 255};
  EXPECT_EQ(requantize_float(kRange, kSum, float_multiplier(0.05, 0.02, 0.1)), 191);
  const double scale = 0.05 * 0.02 / 0.1;
  const FixedMultiplier fixed = fixed_multiplier(scale);
  EXPECT_EQ(fixed.multiplier, 1374389535);
  EXPECT_EQ(fixed.shift, 37);
  EXPECT_EQ(requantize_fixed(kRange, kSum, fixed.multiplier, fixed.shift), 191);
  SumBounds bounds;
  bounds.add(30);
  for (const int64_t weight : {100, -50, 7}) {
    bounds.add(weight, -10, 245);
  }
  EXPECT_EQ(bounds.least, -13290);
  EXPECT_EQ(bounds.greatest, 26745);
  const auto narrow = narrow_multiplier(scale, bounds, kRange);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->multiplier, 20972);
  EXPECT_EQ(narrow->pre_shift, 0);
  EXPECT_EQ(narrow->shift, 21);
  EXPECT_EQ(requantize_narrow(kRange, kSum, narrow->multiplier, narrow->pre_shift, narrow->shift),
            191);
}

TEST(AddMultipliers, FitIn32Bits) {
  for (const double a : {1e-9, 0.003, 1.0, 77.0}) {
    for (const double b : {-55.0, -1.0, 1e-5, 0.9, 1.999999999}) {
      const auto m = add_multipliers(a, b, 1);
      const int64_t most = 255 * (std::abs(m[0]) + std::abs(m[1])) + (int64_t{255} << m[2]) +
                           (int64_t{1} << (m[2] - 1));
      EXPECT_LT(most, int64_t{1} << 31) << a << " " << b;
      EXPECT_NEAR(std::ldexp(static_cast<double>(m[0]), -static_cast<int>(m[2])), a,
                  std::ldexp(1, -static_cast<int>(m[2])));
    }
  }
}

TEST(SoftmaxTable, SumsFit31Bits) {
  for (const int64_t length : {1, 255, 256, 257, 1000, 1 << 20}) {
    const auto table = softmax_table(0.1, length);
    EXPECT_LE(table[0] * length, int64_t{1} << 30) << length;
    EXPECT_GT(table[0] * length * 4, int64_t{1} << 22) << length;
  }
  EXPECT_EQ(softmax_table(0, 256)[255], 1 << 22);
  EXPECT_EQ(softmax_table(1, 10)[1], 1542998);  // exp(-1) * 2^22
}

TEST(RoundInto, HalvesToEvenAndClamps) {
  const QuantRange range = {3, -100, 100};
  EXPECT_EQ(round_into(range, 0.5f), 3);
  EXPECT_EQ(round_into(range, 1.5f), 5);
  EXPECT_EQ(round_into(range, -2.5f), 1);
  EXPECT_EQ(round_into(range, 2.50001f), 6);
  EXPECT_EQ(round_into(range, 1e30f), 100);
  EXPECT_EQ(round_into(range, -INFINITY), -100);
  EXPECT_EQ(round_into(range, NAN), -100);
}

}  // namespace
}  // namespace cresset::ops
