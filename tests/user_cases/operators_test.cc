// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/user_cases/compiled.h"

// Operators where dtypes, rounding, edges and order matter.

namespace cresset::tests {
namespace {

using Numbers = std::vector<double>;
using Sizes = std::vector<int32_t>;

DType dtype(const data::HostValue& value) { return value.get<data::HostTensor>()->dtype(); }

TEST(UserCases, U03SpectrumOfARealSignal) {
  Compiled program(R"(graph forward(%x: f32[2, 8]) {
    %f = _fft_r2c(%x, [1], 0, true) : c64[2, 5]
    %a = abs(%f)
    %y = pow_tensor_scalar(%a, 2)
    return %y
  })");
  const Values out = program.run({pattern({2, 8})});
  ASSERT_EQ(program.error(), "");
  EXPECT_TRUE(near(out[0], {0.25, 2.3216991, 4.5, 12.9283009, 2.25,  //
                            0.0625, 3.0091989, 3.8125, 13.6158009, 1.5625}));
}

TEST(UserCases, U04BucketsOfBoundaries) {
  Compiled program(R"(graph forward(%v: f32[2, 3], %b: f32[4]) {
    %left = bucketize_tensor(%v, %b) : i64[2, 3]
    %right = bucketize_tensor(%v, %b, right=true) : i64[2, 3]
    %small = bucketize_tensor(%v, %b, out_int32=true) : i32[2, 3]
    return %left, %right, %small
  })");
  const Values out = program.run({tensor({2, 3}, {0, 1, 2, 3, 7, 9}), tensor({4}, {1, 3, 5, 7})});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{0, 0, 1, 1, 3, 4}));
  EXPECT_EQ(numbers(out[1]), (Numbers{0, 1, 1, 2, 4, 4}));
  EXPECT_EQ(numbers(out[2]), (Numbers{0, 0, 1, 1, 3, 4}));
  EXPECT_EQ(dtype(out[0]), DType::kInt64);
  EXPECT_EQ(dtype(out[2]), DType::kInt32);
}

TEST(UserCases, U16SmallIntegersAddUpInLargeOnes) {
  Compiled program(R"(graph forward(%u: u8[3], %i: i8[3], %b: bool[3], %w: i32[3]) {
    %su = cumsum(%u, 0)
    %si = cumsum(%i, 0)
    %sb = cumsum(%b, 0)
    %pu = cumprod(%u, 0)
    %sw = sum_dim_intlist(%w, [0])
    return %su, %si, %sb, %pu, %sw
  })");
  const Values out = program.run(
      {tensor({3}, {200, 100, 50}, DType::kUInt8), tensor({3}, {100, 100, 50}, DType::kInt8),
       tensor({3}, {1, 1, 0}, DType::kBool), tensor({3}, {1 << 30, 1 << 30, 5}, DType::kInt32)});
  ASSERT_EQ(program.error(), "");
  for (const data::HostValue& value : out) {
    EXPECT_EQ(dtype(value), DType::kInt64);
  }
  EXPECT_EQ(numbers(out[0]), (Numbers{200, 300, 350}));
  EXPECT_EQ(numbers(out[1]), (Numbers{100, 200, 250}));
  EXPECT_EQ(numbers(out[2]), (Numbers{1, 2, 2}));
  EXPECT_EQ(numbers(out[3]), (Numbers{200, 20000, 1000000}));
  EXPECT_EQ(numbers(out[4]), (Numbers{2147483653}));
}

TEST(UserCases, U17FactorsOfSums) {
  Compiled program(R"(graph forward(%x: f32[4], %y: f32[4], %m: f32[2, 2], %eye: f32[2, 2]) {
    %a = add_tensor(%x, %y, alpha=10)
    %s = sub_tensor(%x, %y, alpha=10)
    %ones = full_like(%m, 1)
    %p = addmm(%ones, %m, %eye, beta=0.5, alpha=2)
    return %a, %s, %p
  })");
  const Values out = program.run({tensor({4}, {1, -2, 3.5, 0}), tensor({4}, {0.5, 1, -1, 2}),
                                  tensor({2, 2}, {1, 2, 3, 4}), tensor({2, 2}, {1, 0, 0, 1})});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{6, 8, -6.5, 20}));
  EXPECT_EQ(numbers(out[1]), (Numbers{-4, -12, 13.5, -20}));
  EXPECT_EQ(numbers(out[2]), (Numbers{2.5, 4.5, 6.5, 8.5}));
}

TEST(UserCases, U19MixedDtypesAndRanks) {
  Compiled program(R"(graph forward(%a: f64[1, 2, 2, 1, 2, 2], %b: i32[2, 2, 3, 2, 2],
                                    %c: i16[5], %d: i16[1, 5]) {
    %sum = add_tensor(%a, %b, alpha=-5)
    %quotient = div_tensor(%c, %d)
    return %sum, %quotient
  })");
  const Values out = program.run({iota({1, 2, 2, 1, 2, 2}, 0, 1, DType::kFloat64),
                                  iota({2, 2, 3, 2, 2}, 0, 1, DType::kInt32),
                                  tensor({5}, {1, -7, 3, 9, 0}, DType::kInt16),
                                  tensor({1, 5}, {2, 2, -2, 4, 5}, DType::kInt16)});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(dtype(out[0]), DType::kFloat64);
  EXPECT_EQ(sizes(out[0]), (Sizes{1, 2, 2, 3, 2, 2}));
  EXPECT_EQ(sum(out[0]), -5280);
  EXPECT_EQ(weighted_sum(out[0]), -172480);
  EXPECT_EQ(first(out[0], 5), (Numbers{0, -4, -8, -12, -20}));
  EXPECT_EQ(dtype(out[1]), DType::kFloat32);
  EXPECT_EQ(sizes(out[1]), (Sizes{1, 5}));
  EXPECT_EQ(numbers(out[1]), (Numbers{0.5, -3.5, -1.5, 2.25, 0}));
}

TEST(UserCases, U21MaximaOfWindowsThatReachBeyondTheEdge) {
  Compiled program(R"(graph forward(%x: f32[1, 1, 5, 5], %y: f32[1, 1, 4, 4]) {
    %a, %i = max_pool2d_with_indices(%x, [2, 2], [2, 2], [0, 0], [1, 1], true)
    %b, %j = max_pool2d_with_indices(%x, [2, 2], [2, 2], [1, 1], [1, 1], true)
    %c, %k = max_pool2d_with_indices(%y, [3, 3], [2, 2], [1, 1], [1, 1], true)
    return %a, %b, %c
  })");
  const Values out = program.run({iota({1, 1, 5, 5}), iota({1, 1, 4, 4})});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{6, 8, 9, 16, 18, 19, 21, 23, 24}));
  EXPECT_EQ(numbers(out[1]), (Numbers{0, 2, 4, 10, 12, 14, 20, 22, 24}));
  EXPECT_EQ(numbers(out[2]), (Numbers{5, 7, 7, 13, 15, 15, 13, 15, 15}));
}

TEST(UserCases, U22MeansOfWindowsThatReachBeyondTheEdge) {
  Compiled program(R"(graph forward(%x: f32[1, 1, 3, 3], %y: f32[1, 1, 4, 4]) {
    %a = avg_pool2d(%x, [2, 2], [2, 2], [0, 0], true)
    %b = avg_pool2d(%y, [3, 3], [2, 2], [1, 1], true, true)
    %c = avg_pool2d(%y, [3, 3], [2, 2], [1, 1], true, false)
    %d = avg_pool2d(%y, [2, 2], [2, 2], [0, 0], false, true, 3)
    return %a, %b, %c, %d
  })");
  const Values out = program.run({iota({1, 1, 3, 3}), iota({1, 1, 4, 4})});
  ASSERT_EQ(program.error(), "");
  EXPECT_TRUE(near(out[0], {2, 3.5, 6.5, 8}));
  EXPECT_TRUE(
      near(out[1], {1.1111112, 2.6666667, 1.6666666, 5.6666665, 10, 5.5, 4.1666665, 7, 3.75}));
  EXPECT_TRUE(near(out[2], {2.5, 4, 5, 8.5, 10, 11, 12.5, 14, 15}));
  EXPECT_TRUE(near(out[3], {3.3333333, 6, 14, 16.6666661}));
}

TEST(UserCases, U23PaddingThatCutsAndPads) {
  Compiled program(R"(graph forward(%x: f64[2, 3, 4, 5], %y: f64[6, 19, 7, 8, 8]) {
    %a = constant_pad_nd(%x, [2, -3, -1, 2, 1, -1, -1, 1], 7)
    %b = constant_pad_nd(%y, [5, -8, -4, 9, 1, 9, -9, -9], 1.797e308)
    return %a, %b
  })");
  const Values out = program.run(
      {iota({2, 3, 4, 5}, 0, 1, DType::kFloat64), iota({6, 19, 7, 8, 8}, 0, 1, DType::kFloat64)});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(sizes(out[0]), (Sizes{2, 3, 5, 4}));
  EXPECT_EQ(sum(out[0]), 1722);
  EXPECT_EQ(weighted_sum(out[0]), 85258);
  EXPECT_EQ(sizes(out[1]), (Sizes{6, 1, 17, 13, 5}));
  EXPECT_EQ(numbers(out[1]), Numbers(6 * 17 * 13 * 5, 1.797e308));
}

TEST(UserCases, U24AttentionWhereAMaskHidesEverything) {
  Compiled program(R"(graph forward(%q: f32[1, 1, 4, 2], %k: f32[1, 1, 4, 2], %v: f32[1, 1, 4, 2],
                                    %mask: bool[4, 4]) {
    %y = scaled_dot_product_attention(%q, %k, %v, %mask) : f32[1, 1, 4, 2]
    return %y
  })");
  Numbers mask(16, 1);
  for (const size_t hidden : {4, 5, 6, 7, 8}) {
    mask[hidden] = 0;
  }
  const Values out = program.run({pattern({1, 1, 4, 2}), pattern({1, 1, 4, 2}, 9, 4),
                                  iota({1, 1, 4, 2}), tensor({4, 4}, mask, DType::kBool)});
  ASSERT_EQ(program.error(), "");
  EXPECT_TRUE(
      near(out[0], {2.2450333, 3.2450333, 0, 0, 3.9279201, 4.9279203, 3.5915704, 4.5915704}));
}

TEST(UserCases, U26SumsStartFromTheirInputOnEveryRun) {
  Compiled program(R"(graph forward(%i: i64[3], %x: f32[3], %g: f32[1, 1, 1, 1],
                                    %p: f32[1, 1, 2, 2]) {
    %zeros = full([4], 0, dtype=f32)
    %scattered = scatter_add(%zeros, 0, %i, %x)
    %put = index_put(%zeros, [%i], %x, true)
    %m, %at = max_pool2d_with_indices(%p, [2, 2])
    %back = max_pool2d_with_indices_backward(%g, %p, [2, 2], [2, 2], [0, 0], [1, 1], false, %at) : f32[1, 1, 2, 2]
    return %scattered, %put, %back
  })");
  for (int run = 0; run < 2; ++run) {
    const Values out = program.run({tensor({3}, {1, 1, 3}, DType::kInt64), tensor({3}, {1, 2, 5}),
                                    tensor({1, 1, 1, 1}, {1}), tensor({1, 1, 2, 2}, {1, 5, 2, 3})});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(numbers(out[0]), (Numbers{0, 3, 0, 5})) << run;
    EXPECT_EQ(numbers(out[1]), (Numbers{0, 3, 0, 5})) << run;
    EXPECT_EQ(numbers(out[2]), (Numbers{0, 1, 0, 0})) << run;
  }
}

TEST(UserCases, U50ZeroPointsOfEitherWidth) {
  for (const char* width : {"i32", "i64"}) {
    Compiled program(std::string("graph forward(%q: i8[4, 2], %s: f32[4], %z: ") + width + R"([4]) {
      %y = qd_dequantize_per_channel(%q, %s, %z, 0, -128, 127, i8) : f32[4, 2]
      return %y
    })");
    const Values out = program.run(
        {tensor({4, 2}, {0, 0, 0, 1, 10, 60, 127, -128}, DType::kInt8),
         tensor({4}, {0.5, 0.25, 0.125, 1}),
         tensor({4}, {30, 50, 60, 90}, width[1] == '3' ? DType::kInt32 : DType::kInt64)});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(numbers(out[0]), (Numbers{-15, -15, -12.5, -12.25, -6.25, 0, 37, -218})) << width;
  }
}

TEST(UserCases, U51QuantizingRoundsToEvenAndSaturates) {
  Compiled program(R"(graph forward(%x: f32[9], %y: f32[1], %z: f32[8]) {
    %a = qd_quantize_per_tensor(%x, 1, 0, -128, 127, i8)
    %b = qd_quantize_per_tensor(%y, 0.014940239045662634, -128, -128, 127, i8)
    %c = qd_quantize_per_tensor(%z, 1, 0, 0, 20, i8)
    return %a, %b, %c
  })");
  const Values out =
      program.run({tensor({9}, {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.4501, 1000, -1000}),
                   tensor({1}, {3.4501}), tensor({8}, {-50, -1, 0, 5, 20, 25, 100, 3})});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{-2, -2, 0, 0, 2, 2, 3, 127, -128}));
  EXPECT_EQ(numbers(out[1]), (Numbers{103}));
  EXPECT_EQ(numbers(out[2]), (Numbers{0, 0, 0, 5, 20, 20, 20, 3}));
}

TEST(UserCases, U52ProductsOfExtremeBytes) {
  for (const int32_t k : {63, 64, 65, 1024}) {
    const std::string width = std::to_string(k);
    Compiled program("graph forward(%x: u8[1, " + width + "], %w: i8[" + width + R"(, 2]) {
      %a = _to_copy(%x, dtype=i32)
      %b = _to_copy(%w, dtype=i32)
      %y = mm(%a, %b)
      return %y
    })");
    Numbers weights;
    for (int32_t i = 0; i < k; ++i) {
      weights.insert(weights.end(), {127, -128});
    }
    const Values out =
        program.run({iota({1, k}, 255, 0, DType::kUInt8), tensor({k, 2}, weights, DType::kInt8)});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(numbers(out[0]), (Numbers{32385.0 * k, -32640.0 * k}));
  }
}

// As an integer row: a bias of the opposite sum shows its last bits.
TEST(UserCases, U52QuantizedProductsOfExtremeBytes) {
  for (const int32_t k : {63, 64, 65, 1024}) {
    const std::string width = std::to_string(k);
    Compiled program("graph forward(%x: u8[1, " + width + "], %w: i8[2, " + width + R"(],
                                    %bias: i32[2], %scale: i32[1], %shift: i8[1]) {
      %y = qlinear(%x, %w, %bias, %scale, %shift, 1, 0, 1, 0, -128, 127, i8)
      return %y
    })");
    Numbers weights(static_cast<size_t>(2 * k), 127);
    std::fill(weights.begin() + k, weights.end(), -128);
    const Values out =
        program.run({iota({1, k}, 255, 0, DType::kUInt8), tensor({2, k}, weights, DType::kInt8),
                     tensor({2}, {-32385.0 * k + 77, 32640.0 * k - 1}, DType::kInt32),
                     tensor({1}, {1 << 30}, DType::kInt32), tensor({1}, {30}, DType::kInt8)});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(numbers(out[0]), (Numbers{77, -1}));
  }
}

}  // namespace
}  // namespace cresset::tests
