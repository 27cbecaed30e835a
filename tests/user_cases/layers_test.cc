// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/user_cases/compiled.h"

// Layers that are more than one operator: norms and recurrent networks.

namespace cresset::tests {
namespace {

using Numbers = std::vector<double>;
using Sizes = std::vector<int32_t>;

std::string batch_norm(const char* training) {
  return std::string(R"(graph forward(%x: f32[1, 2, 2, 2]) {
    %mean = constant "mean" [1, -1] : f32[2]
    %var = constant "var" [4, 0.25] : f32[2]
    %w = constant "w" [2, -1] : f32[2]
    %b = constant "b" [0.5, 0] : f32[2]
    %y = batch_norm(%x, %w, %b, %mean, %var, )") +
         training + R"(, 0.1, 1e-05, true) : f32[1, 2, 2, 2]
    return %y
  })";
}

TEST(UserCases, U01BatchNormInBothModes) {
  Compiled program(batch_norm("false"));
  const Values out = program.run({iota({1, 2, 2, 2})});
  ASSERT_EQ(program.error(), "");
  EXPECT_TRUE(near(out[0], {-0.4999988, 0.5, 1.4999988, 2.4999976, -9.9997997, -11.9997597,
                            -13.9997196, -15.9996796}));
  const auto training = compile_text(batch_norm("true"));
  ASSERT_FALSE(training.ok());
  EXPECT_TRUE(says(training.error().text, "train mode"));
  EXPECT_TRUE(says(training.error().text, "eval()"));
}

TEST(UserCases, U07Lstm) {
  Compiled program(R"(graph forward(%x: f32[2, 5, 1], %wi: f32[12, 1], %wh: f32[12, 3],
                                    %bi: f32[12], %bh: f32[12]) {
    %h0 = full([1, 2, 3], 0, dtype=f32)
    %y, %h, %c = lstm_input(%x, [%h0, %h0], [%wi, %wh, %bi, %bh], true, 1, 0.0, false, false, true) : (f32[2, 5, 3], f32[1, 2, 3], f32[1, 2, 3])
    return %y, %h, %c
  })");
  for (int run = 0; run < 2; ++run) {
    const Values out =
        program.run({pattern({2, 5, 1}), pattern({12, 1}, 13, 8), pattern({12, 3}, 11, 8),
                     pattern({12}, 5, 8), iota({12}, 0, 0)});
    ASSERT_EQ(program.error(), "");
    EXPECT_TRUE(sums_near(out[0], 0.5298464, 7.8087728));
    const Numbers y = numbers(out[0]);
    EXPECT_TRUE(near(tensor({6}, {y[0], y[1], y[2], y[12], y[13], y[14]}),
                     {0.0966583, -0.0780265, 0.0382082, -0.0625315, 0.1398082, -0.0694024}));
    const Numbers h = numbers(out[1]);
    EXPECT_TRUE(near(tensor({3}, {h[3], h[4], h[5]}), {0.0058726, 0.1167912, -0.0542056}));
    EXPECT_NEAR(sum(out[2]), 0.3095103, 4e-6);
  }
}

TEST(UserCases, U07Gru) {
  Compiled program(R"(graph forward(%x: f32[2, 5, 1], %wi: f32[9, 1], %wh: f32[9, 3],
                                    %bi: f32[9], %bh: f32[9]) {
    %h0 = full([1, 2, 3], 0, dtype=f32)
    %y, %h = gru_input(%x, %h0, [%wi, %wh, %bi, %bh], true, 1, 0.0, false, false, true) : (f32[2, 5, 3], f32[1, 2, 3])
    return %y, %h
  })");
  for (int run = 0; run < 2; ++run) {
    const Values out =
        program.run({pattern({2, 5, 1}), pattern({9, 1}, 13, 8), pattern({9, 3}, 11, 8),
                     pattern({9}, 5, 8), iota({9}, 0.125, 0)});
    ASSERT_EQ(program.error(), "");
    EXPECT_TRUE(sums_near(out[0], 3.1275384, 49.0996080));
    EXPECT_TRUE(
        near(out[1], {-0.1238911, 0.3642346, -0.0133010, -0.0091177, 0.3381089, 0.0230100}));
  }
}

TEST(UserCases, U34LayerNormOfAChannelsLastTensor) {
  Compiled program(R"(graph forward(%x: f32[1, 2, 2, 4] order [0, 2, 3, 1]) {
    %y = layer_norm(%x, [4]) : f32[1, 2, 2, 4]
    return %y
  })");
  const Values out = program.run({channels_last(iota({1, 2, 2, 4}))});
  ASSERT_EQ(program.error(), "");
  Numbers want;
  for (int row = 0; row < 4; ++row) {
    want.insert(want.end(), {-1.341635, -0.447212, 0.447212, 1.341635});
  }
  EXPECT_TRUE(near(out[0], want));
}

TEST(UserCases, U35ChannelsLastConvolutionActivationAndMean) {
  Compiled program(R"(graph forward(%x: f32[2, 5, 13, 7] order [0, 2, 3, 1],
                                    %w: f32[11, 5, 3, 3] order [0, 2, 3, 1], %b: f32[11]) {
    %c = convolution(%x, %w, %b, [1, 1], [1, 1], [1, 1], false, [0, 0], 1)
    %s = sigmoid(%c)
    %y = mean_dim(%s, [2, 3])
    return %y
  })");
  const Values out =
      program.run({channels_last(pattern({2, 5, 13, 7}, 13, 8)),
                   channels_last(pattern({11, 5, 3, 3}, 11, 16)), pattern({11}, 5, 4)});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(sizes(out[0]), (Sizes{2, 11}));
  EXPECT_TRUE(sums_near(out[0], 10.7455892, 123.5136013));
  EXPECT_TRUE(near(tensor({3}, first(out[0], 3)), {0.3809316, 0.4994622, 0.6225147}));
}

}  // namespace
}  // namespace cresset::tests
