// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/user_cases/compiled.h"

// Convolutions with odd sizes, groups, strides and channels-last data.

namespace cresset::tests {
namespace {

using Numbers = std::vector<double>;
using Sizes = std::vector<int32_t>;

TEST(UserCases, U08TransposedConvolution) {
  for (const char* order : {"", " order [0, 2, 3, 1]"}) {
    Compiled program(std::string("graph forward(%x: f32[1, 2, 3, 4]") + order +
                     R"(, %w: f32[2, 1, 3, 3], %b: f32[1]) {
      %y = convolution(%x, %w, %b, [2, 2], [0, 0], [1, 1], true, [0, 0], 1)
      return %y
    })");
    const data::HostValue x = pattern({1, 2, 3, 4});
    const Values out = program.run(
        {*order == 0 ? x : channels_last(x), pattern({2, 1, 3, 3}, 9, 2), tensor({1}, {0.5})});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(sizes(out[0]), (Sizes{1, 1, 7, 9}));
    EXPECT_EQ(first(out[0], 5), (Numbers{2, -0.625, 0.125, 0.5, -1}));
    EXPECT_EQ(sum(out[0]), 31.5);
    EXPECT_EQ(weighted_sum(out[0]), 1005.75);
  }
}

TEST(UserCases, U08TransposedConvolutionWithGroups) {
  Compiled program(R"(graph forward(%x: f32[1, 4, 3, 3], %w: f32[4, 2, 3, 3]) {
    %y = convolution(%x, %w, None, [2, 2], [1, 1], [2, 2], true, [1, 1], 2)
    return %y
  })");
  const Values out = program.run({pattern({1, 4, 3, 3}), pattern({4, 2, 3, 3}, 9, 2)});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(sizes(out[0]), (Sizes{1, 4, 8, 8}));
  EXPECT_EQ(sum(out[0]), 1.25);
  EXPECT_EQ(weighted_sum(out[0]), -985);
}

TEST(UserCases, U35ChannelsLastConvolutions) {
  Compiled pointwise(R"(graph forward(%x: f32[1, 1, 7, 5] order [0, 2, 3, 1]) {
    %w = constant "w" [1, 2, -1, 0.5, 0] : f32[5, 1, 1, 1]
    %b = constant "b" [0, 1, 2, 3, 4] : f32[5]
    %y = convolution(%x, %w, %b, [1, 1], [0, 0], [1, 1], false, [0, 0], 1)
    return %y
  })");
  Values out = pointwise.run({channels_last(iota({1, 1, 7, 5}))});
  ASSERT_EQ(pointwise.error(), "");
  EXPECT_EQ(sum(out[0]), 1837.5);
  EXPECT_EQ(weighted_sum(out[0]), 109987.5);

  Compiled depthwise(R"(graph forward(%x: f32[1, 8, 5, 5] order [0, 2, 3, 1],
                                      %w: f32[8, 1, 3, 3]) {
    %y = convolution(%x, %w, None, [1, 1], [1, 1], [1, 1], false, [0, 0], 8)
    return %y
  })");
  out = depthwise.run({channels_last(pattern({1, 8, 5, 5})), pattern({8, 1, 3, 3}, 9, 2)});
  ASSERT_EQ(depthwise.error(), "");
  EXPECT_EQ(sum(out[0]), -1.625);
  EXPECT_EQ(weighted_sum(out[0]), -1125);
  EXPECT_EQ(first(out[0], 3), (Numbers{1.875, -1.875, 5}));
}

}  // namespace
}  // namespace cresset::tests
