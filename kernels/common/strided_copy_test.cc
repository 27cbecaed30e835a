// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/strided_copy.h"

#include <gtest/gtest.h>

#include <vector>

namespace cresset::kernels {
namespace {

TEST(StridedCopy, TransposesInEveryWidth) {
  const int64_t sizes[] = {2, 3};
  const int64_t to_strides[] = {3, 1};
  const int64_t from_strides[] = {1, 2};
  const uint8_t bytes[] = {0, 10, 1, 11, 2, 12};
  uint8_t out[6] = {};
  strided_copy(out, to_strides, bytes, from_strides, sizes, 1);
  EXPECT_EQ(std::vector<uint8_t>(out, out + 6), (std::vector<uint8_t>{0, 1, 2, 10, 11, 12}));
  for (const size_t width : {2u, 4u, 8u, 16u}) {
    std::vector<uint8_t> wide(6 * width);
    for (size_t i = 0; i < wide.size(); ++i) {
      wide[i] = static_cast<uint8_t>(bytes[i / width] * 16 + i % width);
    }
    std::vector<uint8_t> moved(6 * width);
    strided_copy(moved.data(), to_strides, wide.data(), from_strides, sizes, width);
    for (size_t i = 0; i < moved.size(); ++i) {
      EXPECT_EQ(moved[i], static_cast<uint8_t>(out[i / width] * 16 + i % width)) << width;
    }
  }
}

TEST(StridedCopy, ReversesAndRepeats) {
  const int32_t row[] = {1, 2, 3};
  int32_t out[6] = {};
  Box from;
  from.push(2, 0);
  from.push(3, 1);
  from.slice(1, 2, -1, 3);
  Box to;
  to.push(2, 3);
  to.push(3, 1);
  copy_box(out, to, row, from, sizeof(int32_t));
  EXPECT_EQ(std::vector<int32_t>(out, out + 6), (std::vector<int32_t>{3, 2, 1, 3, 2, 1}));
}

TEST(StridedCopy, WritesWhereTheDestinationSays) {
  const int16_t in[] = {1, 2, 3, 4};
  int16_t out[8] = {};
  Box to;
  to.push(2, 4);
  to.push(2, 2);
  to.offset = 1;
  Box from;
  from.push(2, 2);
  from.push(2, 1);
  copy_box(out, to, in, from, sizeof(int16_t));
  EXPECT_EQ(std::vector<int16_t>(out, out + 8), (std::vector<int16_t>{0, 1, 0, 2, 0, 3, 0, 4}));
}

TEST(StridedCopy, OneElementAndNone) {
  const int64_t in = 7;
  int64_t out = 0;
  strided_copy(&out, {}, &in, {}, {}, sizeof(in));
  EXPECT_EQ(out, 7);
  const int64_t sizes[] = {3, 0};
  const int64_t strides[] = {1, 1};
  out = 1;
  strided_copy(&out, strides, &in, strides, sizes, sizeof(in));
  EXPECT_EQ(out, 1);
}

TEST(StridedCopy, CopiesBetweenDimOrders) {
  const int32_t sizes[] = {2, 3};
  const uint8_t by_columns[] = {1, 0};
  float in[] = {0, 10, 1, 11, 2, 12};
  float out[6] = {};
  LocalTensor from(DType::kFloat32, sizes, in, sizeof(in), by_columns);
  LocalTensor to(DType::kFloat32, sizes, out, sizeof(out));
  copy_elements(*from, *to);
  EXPECT_EQ(std::vector<float>(out, out + 6), (std::vector<float>{0, 1, 2, 10, 11, 12}));
}

}  // namespace
}  // namespace cresset::kernels
