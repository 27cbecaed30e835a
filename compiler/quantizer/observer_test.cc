// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/observer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/quantizer/weights.h"

namespace cresset::quantizer {
namespace {

std::vector<float> ramp(float low, float high, size_t count) {
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i) {
    x[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(count - 1);
  }
  return x;
}

TEST(AffineQParams, HoldZeroExactlyAndCoverTheRange) {
  const QParams q = affine_qparams(-1, 3);
  EXPECT_FLOAT_EQ(q.scale, 4.0f / 255);
  EXPECT_EQ(q.zero, -64);
  EXPECT_LE(q.low(), -1 + q.scale / 2);
  EXPECT_GE(q.high(), 3 - q.scale / 2);
  // A range beside 0 grows to it.
  EXPECT_EQ(affine_qparams(2, 5.1).zero, -128);
  EXPECT_FLOAT_EQ(affine_qparams(2, 5.1).scale, 5.1f / 255);
  EXPECT_EQ(affine_qparams(-5.1, -2).zero, 127);
  EXPECT_GT(affine_qparams(0, 0).scale, 0);
}

TEST(Observer, MinMaxCoversAllCalls) {
  Observer observer;
  for (const float high : {1.0f, 40.0f, 3.0f}) {
    const std::vector<float> x = ramp(-high / 2, high, 101);
    observer.add(x.data(), x.size());
  }
  EXPECT_EQ(observer.count(), 303u);
  EXPECT_DOUBLE_EQ(observer.min(), -20);
  EXPECT_DOUBLE_EQ(observer.max(), 40);
  EXPECT_FLOAT_EQ(observer.choose(RangeRule::kMinMax).scale, 60.0f / 255);
  // The first call weighs most.
  EXPECT_LT(observer.choose(RangeRule::kMovingAverage).scale, 3.0f / 255);
}

TEST(Observer, PercentileAndMseLeaveOutliersOut) {
  std::vector<float> x = ramp(-1, 1, 100000);
  x[5] = 10;
  Observer observer;
  observer.add(x.data(), x.size());
  const double all = observer.choose(RangeRule::kMinMax).scale;
  EXPECT_LT(observer.choose(RangeRule::kPercentile).scale, all / 4);
  const QParams best = observer.choose(RangeRule::kMse);
  EXPECT_LT(best.scale, all);
  EXPECT_LT(observer.error(best), observer.error(observer.choose(RangeRule::kMinMax)));
}

TEST(Observer, ErrorIsThatOfTheNumbers) {
  const std::vector<float> x = {0.2f, 0.4f, -3};
  Observer observer;
  observer.add(x.data(), x.size());
  const QParams q{1, 0, -1, 1};
  EXPECT_NEAR(observer.error(q), (0.04 + 0.16 + 4) / 3, 1e-6);
  EXPECT_NEAR(observer.power(), (0.04 + 0.16 + 9) / 3, 1e-6);
}

TEST(Observer, NumbersOnAGridOf255StepsAreExact) {
  std::vector<float> x(256);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
  }
  Observer observer;
  observer.add(x.data(), x.size());
  EXPECT_EQ(observer.choose(RangeRule::kMse).scale, 1);
}

TEST(Observer, IgnoresWhatIsNotFinite) {
  const std::vector<float> x = {1, std::numeric_limits<float>::infinity(), NAN, -2};
  Observer observer;
  observer.add(x.data(), x.size());
  EXPECT_EQ(observer.not_finite(), 2u);
  EXPECT_DOUBLE_EQ(observer.max(), 1);
}

TEST(Observer, KeepsMeansOfChannels) {
  const std::vector<float> x = {1, 3, 10, 20, 5, 7, 30, 40};  // two samples, two channels of two
  Observer observer;
  observer.add(x.data(), x.size(), 2, 2);
  EXPECT_EQ(observer.channel_means(), (std::vector<double>{4, 25}));
}

TEST(Weights, EachChannelHasItsScale) {
  const std::vector<float> w = {1.27f, -0.5f, 0, 0.254f, 0.01f, 0};
  const ir::ConstantPtr constant = ir::make_constant(
      "w", {DType::kFloat32, {ir::Dim(3), ir::Dim(2)}, {}}, w.data(), w.size() * sizeof(float));
  const QuantizedWeight q = quantize_weight(constant, 0, WeightRule::kMinMax);
  ASSERT_EQ(q.scales.size(), 3u);
  EXPECT_FLOAT_EQ(q.scales[0], 0.01f);
  EXPECT_FLOAT_EQ(q.scales[1], 0.002f);
  const int8_t* const n = reinterpret_cast<const int8_t*>(q.integers->bytes);
  EXPECT_EQ(n[0], 127);
  EXPECT_EQ(n[1], -50);
  EXPECT_EQ(n[3], 127);
  // Along the other axis.
  const QuantizedWeight columns = quantize_weight(constant, 1, WeightRule::kMinMax);
  ASSERT_EQ(columns.scales.size(), 2u);
  EXPECT_FLOAT_EQ(columns.scales[1], 0.5f / 127);
  EXPECT_EQ(quantize_weight(constant, std::nullopt, WeightRule::kMinMax).scales.size(), 1u);
  // A bias asks for a coarser scale.
  EXPECT_FLOAT_EQ(quantize_weight(constant, 0, WeightRule::kMse, {0, 0.5f, 0}).scales[1], 0.5f);
}

TEST(Weights, MseIsNoWorseThanMinMax) {
  std::vector<float> w = ramp(-0.1f, 0.1f, 999);
  w.push_back(0.3f);
  const ir::ConstantPtr constant = ir::make_constant(
      "w", {DType::kFloat32, {ir::Dim(1), ir::Dim(1000)}, {}}, w.data(), w.size() * sizeof(float));
  EXPECT_GE(quantize_weight(constant, 0, WeightRule::kMse).sqnr_db,
            quantize_weight(constant, 0, WeightRule::kMinMax).sqnr_db);
}

TEST(Observer, TellsHowManySmallNumbersBecomeZero) {
  std::vector<float> even(1000);
  for (size_t i = 0; i < even.size(); ++i) {
    even[i] = static_cast<float>(i) / 100 - 5;
  }
  Observer linear;
  linear.add(even.data(), even.size());
  EXPECT_EQ(linear.lost(affine_qparams(-5, 5)), 0);  // few are small
  std::vector<float> powers(1000);
  for (size_t i = 0; i < powers.size(); ++i) {
    powers[i] = std::exp2(static_cast<float>(i) / 50 - 20);
  }
  Observer steep;
  steep.add(powers.data(), powers.size());
  EXPECT_GT(steep.lost(affine_qparams(0, 1)), 0.8);
  // Zeros are no loss.
  std::vector<float> sparse(1000);
  sparse[3] = 1;
  Observer zeros;
  zeros.add(sparse.data(), sparse.size());
  EXPECT_EQ(zeros.lost(affine_qparams(0, 1)), 0);
}

}  // namespace
}  // namespace cresset::quantizer
