// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/user_cases/compiled.h"

// Shapes and dim orders that change from call to call.

namespace cresset::tests {
namespace {

using Numbers = std::vector<double>;

using Sizes = std::vector<int32_t>;

TEST(UserCases, U18TwoInputsShareADimensionInDifferentPlaces) {
  Compiled program(R"(graph forward(%x: f32[1, s0], %y: f32[s0, 1]) {
    s0 in [1, 1024]
    %d = sub_tensor(%x, %y)
    return %d
  })");
  Values out = program.run({iota({1, 2}), iota({2, 1}, 0, 10)});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{0, 1, -10, -9}));
  out = program.run({iota({1, 4}), iota({4, 1}, 0, 10)});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(sizes(out[0]), (Sizes{4, 4}));
  EXPECT_EQ(sum(out[0]), -216);
  EXPECT_EQ(weighted_sum(out[0]), -2616);
  program.run({iota({1, 4}), iota({3, 1})});
  EXPECT_NE(program.error(), "") << "one dimension with two sizes";
}

TEST(UserCases, U33ChannelsLastInputOfAContiguousProgram) {
  Compiled program(R"(graph forward(%x: f32[1, 3, 2, 2]) {
    %y = mul_scalar(%x, 2)
    return %y
  })");
  const Values out = program.run({channels_last(iota({1, 3, 2, 2}))});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22}));
}

TEST(UserCases, U34MovesWithinAChannelsLastTensor) {
  Compiled program(R"(graph forward(%x: f32[2, 3, 4, 4] order [0, 2, 3, 1],
                                    %i: i64[2, 3, 4, 4]) {
    %flip1 = flip(%x, [1])
    %flip13 = flip(%x, [1, 3])
    %roll = roll(%x, [1], [1])
    %gather = gather(%x, 1, %i)
    %zeros = mul_scalar(%x, 0)
    %scatter = scatter_src(%zeros, 1, %i, %x)
    return %flip1, %flip13, %roll, %gather, %scatter
  })");
  std::vector<double> index(96);
  for (size_t i = 0; i < index.size(); ++i) {
    index[i] = static_cast<double>(5 * i % 3);
  }
  const Values out =
      program.run({channels_last(iota({2, 3, 4, 4})), tensor({2, 3, 4, 4}, index, DType::kInt64)});
  ASSERT_EQ(program.error(), "");
  const double want[] = {262112, 261872, 270304, 279008};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sum(out[i]), 4560) << i;
    EXPECT_EQ(weighted_sum(out[i]), want[i]) << i;
  }
  EXPECT_EQ(sum(out[4]), 4560);
  EXPECT_EQ(weighted_sum(out[4]), 279008);
}

TEST(UserCases, U34RearrangementsOfChannelsLastTensors) {
  Compiled program(R"(graph forward(%a: f32[1, 2, 3, 3] order [0, 2, 3, 1],
                                    %b: f32[1, 1, 3, 3] order [0, 2, 3, 1],
                                    %c: f32[1, 2, 2, 3] order [0, 2, 3, 1],
                                    %d: f32[1, 3, 2, 2] order [0, 2, 3, 1],
                                    %e: f32[1, 1, 4, 4] order [0, 2, 3, 1],
                                    %f: f32[1, 3, 2, 4] order [0, 2, 3, 1]) {
    %cat = cat([%a, %b], 1)
    %pad = constant_pad_nd(%c, [1, 0, 0, 1], -1)
    %cumsum = cumsum(%d, 1)
    %shuffled = pixel_unshuffle(%e, 2)
    %values, %indices = topk(%f, 2, 1)
    return %cat, %pad, %cumsum, %shuffled, %values, %indices
  })");
  const Values out =
      program.run({channels_last(iota({1, 2, 3, 3})), channels_last(iota({1, 1, 3, 3}, 100)),
                   channels_last(iota({1, 2, 2, 3})), channels_last(iota({1, 3, 2, 2})),
                   channels_last(iota({1, 1, 4, 4})), channels_last(pattern({1, 3, 2, 4}, 13, 4))});
  ASSERT_EQ(program.error(), "");
  const double sums[] = {1089, 54, 100, 120, 7.5, 18};
  const double weighted[] = {23526, 818, 920, 1236, 31.5, 146};
  for (size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(sum(out[i]), sums[i]) << i;
    EXPECT_EQ(weighted_sum(out[i]), weighted[i]) << i;
  }
}

TEST(UserCases, U40SizesOutsideOfTheirRangeAreRefused) {
  Compiled program(R"(graph forward(%x: f32[s0, 3]) {
    s0 in [2, 8]
    %y = mul_scalar(%x, 2)
    return %y
  })");
  EXPECT_EQ(program.run({pattern({8, 3}, 13, 4)}).size(), 1u) << program.error();
  const data::HostValue two = tensor({2, 3}, {-1.5, 0.25, -1.25, 0.5, -1, 0.75});
  for (int round = 0; round < 2; ++round) {
    const Values out = program.run({two});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(numbers(out[0]), (Numbers{-3, 0.5, -2.5, 1, -2, 1.5}));
    for (const int32_t n : {1, 9}) {
      program.run({iota({n, 3})});
      EXPECT_TRUE(says(program.error(), "dimension 0 is " + std::to_string(n)));
      EXPECT_TRUE(says(program.error(), "allowed [2, 8]"));
    }
    for (const int32_t n : {2, 8}) {
      program.run({iota({3, n})});
      EXPECT_TRUE(says(program.error(), "dimension 1 is " + std::to_string(n)));
      EXPECT_TRUE(says(program.error(), "3"));
    }
  }
}

TEST(UserCases, U40SizesThatDoNotDivideAreRefused) {
  Compiled program(R"(graph forward(%x: f32[4*s0]) {
    s0 in [1, 4]
    %y = view(%x, [-1, 4]) : f32[s0, 4]
    return %y
  })");
  Values out = program.run({iota({8})});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(sizes(out[0]), (Sizes{2, 4}));
  program.run({iota({6})});
  EXPECT_TRUE(says(program.error(), "dimension 0 is 6"));
  EXPECT_TRUE(says(program.error(), "multiples of 4"));
  out = program.run({iota({16})});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(sizes(out[0]), (Sizes{4, 4}));
}

TEST(UserCases, SizesOfInputsThatDependOnEachOther) {
  Compiled program(R"(graph forward(%x: f32[s0], %y: f32[s0 + 1], %z: f32[2*s0 + 3]) {
    s0 in [0, 8]
    %a = sum_dim_intlist(%x, None)
    %b = sum_dim_intlist(%y, None)
    %c = sum_dim_intlist(%z, None)
    return %a, %b, %c
  })");
  for (const int32_t n : {8, 0, 3}) {
    const Values out = program.run({iota({n}, 1, 0), iota({n + 1}, 1, 0), iota({2 * n + 3}, 1, 0)});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(sum(out[1]), n + 1);
    EXPECT_EQ(sum(out[2]), 2 * n + 3);
  }
  program.run({iota({3}), iota({3}), iota({9})});
  EXPECT_TRUE(says(program.error(), "input 1: dimension 0 is 3, expected 4"));
  EXPECT_TRUE(says(program.error(), "input 0: dimension 0 is 3"));
  program.run({iota({3}), iota({4}), iota({11})});
  EXPECT_TRUE(says(program.error(), "input 2: dimension 0 is 11, expected 9"));
  program.run({iota({3}), iota({4}), iota({10})});
  EXPECT_TRUE(says(program.error(), "input 2: dimension 0 is 10, allowed 3, 5, ... up to 19"));
}

TEST(UserCases, SizesOfInputsThatAreSumsAndProductsOfOthers) {
  Compiled program(R"(graph forward(%x: f32[s0 - 1, 4*s1], %sum: f32[s0 + s1],
                                    %product: f32[1, s0*s1 - s0], %n: int(s1)) {
    s0 in [1, 8]
    s1 in [2, 8]
    %a = sum_dim_intlist(%x, None)
    %b = sum_dim_intlist(%sum, None)
    %c = sum_dim_intlist(%product, None)
    return %a, %b, %c
  })");
  const auto run = [&](int32_t rows, int32_t columns, int32_t sum, int32_t product, int64_t n) {
    program.run({iota({rows, columns}), iota({sum}), iota({1, product}), data::HostValue{n}});
    return program.error();
  };
  EXPECT_EQ(run(2, 16, 7, 9, 4), "");
  EXPECT_EQ(run(0, 8, 3, 1, 2), "");
  EXPECT_TRUE(says(run(2, 16, 6, 9, 4), "input 1: dimension 0 is 6, expected 7 for"));
  EXPECT_TRUE(says(run(2, 16, 7, 8, 4), "input 2: dimension 1 is 8, expected 9 for"));
  EXPECT_TRUE(
      says(run(2, 16, 7, 9, 5), "input 3 is 5, expected 4, for input 0: dimension 1 is 16"));
}

TEST(UserCases, U42BuffersResizeWithinTheirBound) {
  Compiled program(R"(graph forward(%x: f32[s0, 4], %w: f32[3, 4]) {
    s0 in [1, 8]
    %twice = cat([%x, %x], 0)
    %y = linear(%twice, %w)
    return %y
  })");
  const data::HostValue weight = pattern({3, 4}, 9, 2);
  const struct {
    int32_t n;
    double sum, weighted;
  } cases[] = {{8, 12, -20.5}, {3, 21, 192.5}, {8, 12, -20.5}, {1, 9.75, 29.625}};
  for (const auto& c : cases) {
    const Values out = program.run({pattern({c.n, 4}), weight});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(sizes(out[0]), (Sizes{2 * c.n, 3}));
    EXPECT_EQ(sum(out[0]), c.sum);
    EXPECT_EQ(weighted_sum(out[0]), c.weighted);
  }
}

}  // namespace
}  // namespace cresset::tests
