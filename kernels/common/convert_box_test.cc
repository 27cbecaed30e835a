// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert_box.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace cresset::kernels {
namespace {

TEST(ConvertBox, ConvertsWhereTheBoxesSay) {
  const int32_t in[] = {1, 2, 3};
  float out[5] = {};
  Box from;
  from.push(3, 1);
  from.slice(0, 2, -1, 3);
  Box to;
  to.push(3, 2);
  KernelContext context(nullptr);
  ASSERT_EQ(convert_box(context, DType::kFloat32, out, to, DType::kInt32, in, from), Status::kOk);
  EXPECT_EQ(out[0], 3);
  EXPECT_EQ(out[1], 0);
  EXPECT_EQ(out[2], 2);
  EXPECT_EQ(out[4], 1);
}

// An offset from null would be undefined: the sanitizers watch.
TEST(ConvertBox, LeavesEmptyBoxesWithoutDataAlone) {
  Box box;
  box.push(2, 1);
  box.push(0, 1);
  box.offset = 3;
  KernelContext context(nullptr);
  EXPECT_EQ(convert_box(context, DType::kFloat32, nullptr, box, DType::kInt32, nullptr, box),
            Status::kOk);
  EXPECT_EQ(convert_box(context, DType::kInt32, nullptr, box, DType::kInt32, nullptr, box),
            Status::kOk);
  EXPECT_EQ(convert_box(context, DType::kComplex64, nullptr, box, DType::kInt32, nullptr, box),
            Status::kInvalidType);
}

}  // namespace
}  // namespace cresset::kernels
