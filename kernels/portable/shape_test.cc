// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/portable/kernels.h"
#include "kernels/portable/tensor_for_test.h"

namespace cresset::kernels::portable {
namespace {

using Shape = KernelTest;
using Ints = std::vector<int32_t>;

// x[i][j] = 3 i + j as [2, 3], by columns.
TestTensor<int32_t> by_columns() { return {{2, 3}, {0, 3, 1, 4, 2, 5}, {1, 0}}; }

TEST_F(Shape, ViewsReadInRowMajorOrderWhateverTheDimOrder) {
  auto x = by_columns();
  const int64_t size[] = {3, 2};
  TestTensor<int32_t> rows({3, 2}, Ints(6));
  TestTensor<int32_t> columns({3, 2}, Ints(6), {1, 0});
  ASSERT_EQ(view_copy(context_, *x, size, *rows), Status::kOk);
  EXPECT_EQ(rows.memory, (Ints{0, 1, 2, 3, 4, 5}));
  ASSERT_EQ(view_copy(context_, *x, size, *columns), Status::kOk);
  EXPECT_EQ(columns.memory, (Ints{0, 2, 4, 1, 3, 5}));
  ASSERT_EQ(view_copy(context_, *rows, size, *columns), Status::kOk);
  EXPECT_EQ(columns.memory, (Ints{0, 2, 4, 1, 3, 5}));
}

TEST_F(Shape, FlatRollCrossesRowsOfAnyLayout) {
  auto x = by_columns();
  TestTensor<int32_t> out({2, 3}, Ints(6));
  const int64_t shift[] = {-4};
  ASSERT_EQ(roll(context_, *x, shift, IntSpan(), *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{4, 5, 0, 1, 2, 3}));
}

TEST_F(Shape, RollOfOneDimTwiceAddsUp) {
  TestTensor<int32_t> x({5}, counting<int32_t>(5));
  TestTensor<int32_t> out({5}, Ints(5));
  const int64_t shifts[] = {4, 3};
  const int64_t dims[] = {0, -1};
  ASSERT_EQ(roll(context_, *x, shifts, dims, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{3, 4, 0, 1, 2}));
}

TEST_F(Shape, CatConvertsToTheCommonTypeAndSkipsEmptyVectors) {
  TestTensor<int32_t> a({2}, {1, 2});
  TestTensor<float> none({0}, {});
  TestTensor<float> b({1}, {0.5f});
  TestTensor<float> out({3}, std::vector<float>(3));
  Tensor* const tensors[] = {&*a, &*none, &*b};
  ASSERT_EQ(cat(context_, TensorSpan(tensors, 3), 0, *out), Status::kOk);
  EXPECT_EQ(out.memory, (std::vector<float>{1, 2, 0.5f}));
}

TEST_F(Shape, PaddingMayCropOnOneSideAndGrowOnTheOther) {
  TestTensor<int32_t> x({1, 5}, counting<int32_t>(5));
  const int64_t padding[] = {-3, 4};
  TestTensor<int32_t> out({1, 6}, Ints(6));
  ASSERT_EQ(reflection_pad1d(context_, *x, padding, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{3, 4, 3, 2, 1, 0}));
  ASSERT_EQ(replication_pad1d(context_, *x, padding, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{3, 4, 4, 4, 4, 4}));
  ASSERT_EQ(constant_pad_nd(context_, *x, padding, Scalar::of_int(9), *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{3, 4, 9, 9, 9, 9}));
}

TEST_F(Shape, CroppingAwayEverythingLeavesOnlyTheBorder) {
  TestTensor<int32_t> x({3}, counting<int32_t>(3));
  const int64_t padding[] = {-4, 3};
  TestTensor<int32_t> out({2}, Ints(2));
  ASSERT_EQ(constant_pad_nd(context_, *x, padding, Scalar::of_int(7), *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{7, 7}));
}

TEST_F(Shape, TrianglesTakeAnyDiagonal) {
  TestTensor<int32_t> x({2, 2}, {1, 2, 3, 4});
  TestTensor<int32_t> out({2, 2}, Ints(4));
  ASSERT_EQ(tril(context_, *x, INT64_MAX, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{1, 2, 3, 4}));
  ASSERT_EQ(tril(context_, *x, INT64_MIN, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{0, 0, 0, 0}));
  ASSERT_EQ(triu(context_, *x, INT64_MAX, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{0, 0, 0, 0}));
  ASSERT_EQ(triu(context_, *x, INT64_MIN, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{1, 2, 3, 4}));
}

TEST_F(Shape, SliceTakesBoundsFarOutside) {
  TestTensor<int32_t> x({5}, counting<int32_t>(5));
  TestTensor<int32_t> out({2}, Ints(2));
  ASSERT_EQ(slice_copy_tensor(context_, *x, 0, Optional<int64_t>(-100),
                              Optional<int64_t>(INT64_MAX), 3, *out),
            Status::kOk);
  EXPECT_EQ(out.memory, (Ints{0, 3}));
}

TEST_F(Shape, PixelShuffleReadsAndWritesChannelsLast) {
  // [1, 4, 1, 2], channels last: pixel w holds channels 4 w .. 4 w + 3.
  TestTensor<int32_t> x({1, 4, 1, 2}, counting<int32_t>(8), {0, 2, 3, 1});
  TestTensor<int32_t> out({1, 1, 2, 4}, Ints(8));
  TestTensor<int32_t> back({1, 4, 1, 2}, Ints(8), {0, 2, 3, 1});
  ASSERT_EQ(pixel_shuffle(context_, *x, 2, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{0, 1, 4, 5, 2, 3, 6, 7}));
  ASSERT_EQ(pixel_unshuffle(context_, *out, 2, *back), Status::kOk);
  EXPECT_EQ(back.memory, x.memory);
}

}  // namespace
}  // namespace cresset::kernels::portable
