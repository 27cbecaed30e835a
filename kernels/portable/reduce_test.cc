// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "kernels/portable/kernels.h"
#include "kernels/portable/tensor_for_test.h"

namespace cresset::kernels::portable {
namespace {

using Reduce = KernelTest;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_F(Reduce, LongSumsOfFloatsKeepTheirDigits) {
  const int32_t count = 3'000'000;
  TestTensor<float> x({count}, std::vector<float>(count, 0.1f));
  TestTensor<float> out({}, {0});
  ASSERT_EQ(sum_dim_intlist(context_, *x, {}, false, {}, *out), Status::kOk);
  EXPECT_NEAR(out.memory[0], 0.1f * 3e6, 0.5);  // added one by one it would be off by 10,000
}

TEST_F(Reduce, InfinitiesStayInfinite) {
  TestTensor<float> x({3}, {1, kInf, 2});
  TestTensor<float> out({}, {0});
  ASSERT_EQ(sum_dim_intlist(context_, *x, {}, false, {}, *out), Status::kOk);
  EXPECT_EQ(out.memory[0], kInf);
  x.memory[0] = -kInf;
  ASSERT_EQ(sum_dim_intlist(context_, *x, {}, false, {}, *out), Status::kOk);
  EXPECT_TRUE(std::isnan(out.memory[0]));
}

TEST_F(Reduce, IndicesCountInRowMajorOrderOfAnyLayout) {
  // x[i][j], by columns: [[1, 7, 7], [7, 0, 2]].
  TestTensor<float> x({2, 3}, {1, 7, 7, 0, 7, 2}, {1, 0});
  TestTensor<int64_t> out({}, {0});
  ASSERT_EQ(argmax(context_, *x, {}, false, *out), Status::kOk);
  EXPECT_EQ(out.memory[0], 1);
  ASSERT_EQ(argmin(context_, *x, {}, false, *out), Status::kOk);
  EXPECT_EQ(out.memory[0], 4);
}

TEST_F(Reduce, TheFirstNanWinsOverEverything) {
  TestTensor<float> x({4}, {1, kNan, kInf, kNan});
  TestTensor<float> value({}, {0});
  TestTensor<int64_t> index({}, {0});
  ASSERT_EQ(max_dim(context_, *x, 0, false, *value, *index), Status::kOk);
  EXPECT_TRUE(std::isnan(value.memory[0]));
  EXPECT_EQ(index.memory[0], 1);
  ASSERT_EQ(min_dim(context_, *x, 0, false, *value, *index), Status::kOk);
  EXPECT_TRUE(std::isnan(value.memory[0]));
  EXPECT_EQ(index.memory[0], 1);
}

TEST_F(Reduce, MiddleDimensionsOfChannelsLast) {
  // x[n][c][h][w] = 8 h + 4 w + ... laid out channels-last: pixel p holds 2 p and 2 p + 1.
  TestTensor<float> x({1, 2, 2, 2}, counting<float>(8), {0, 2, 3, 1});
  TestTensor<float> out({1, 2}, {0, 0});
  const int64_t dims[] = {-1, -2};
  ASSERT_EQ(mean_dim(context_, *x, Optional<IntSpan>(dims), false, {}, *out), Status::kOk);
  EXPECT_EQ(out.memory, (std::vector<float>{3, 4}));
}

TEST_F(Reduce, NothingSumsToZeroAndHasNoMean) {
  TestTensor<float> x({2, 0}, {});
  TestTensor<float> out({2}, {9, 9});
  const int64_t dims[] = {1};
  ASSERT_EQ(sum_dim_intlist(context_, *x, Optional<IntSpan>(dims), false, {}, *out), Status::kOk);
  EXPECT_EQ(out.memory, (std::vector<float>{0, 0}));
  ASSERT_EQ(mean_dim(context_, *x, Optional<IntSpan>(dims), false, {}, *out), Status::kOk);
  EXPECT_TRUE(std::isnan(out.memory[0]) && std::isnan(out.memory[1]));
}

TEST_F(Reduce, SortIsStableAndPutsNanLast) {
  TestTensor<float> x({40}, std::vector<float>(40, 1));
  x.memory[3] = kNan;
  x.memory[20] = 0;
  TestTensor<float> values({40}, std::vector<float>(40));
  TestTensor<int64_t> indices({40}, std::vector<int64_t>(40));
  ASSERT_EQ(sort(context_, *x, 0, false, *values, *indices), Status::kOk);
  EXPECT_EQ(indices.memory[0], 20);
  EXPECT_EQ(indices.memory[39], 3);
  for (size_t i = 2; i < 39; ++i) {
    EXPECT_LT(indices.memory[i - 1], indices.memory[i]);
  }
  ASSERT_EQ(sort(context_, *x, 0, true, *values, *indices), Status::kOk);
  EXPECT_EQ(indices.memory[0], 3);
  EXPECT_EQ(indices.memory[39], 20);
}

}  // namespace
}  // namespace cresset::kernels::portable
