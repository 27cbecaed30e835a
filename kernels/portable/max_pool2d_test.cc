// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/portable/kernels.h"

namespace cresset::kernels::portable {
namespace {

// The corpus has the values; here: the same maxima as with indices, channels-last, and NaN.
TEST(MaxPool2d, AgreesWithItsTwinThatHasIndices) {
  float in[2 * 5 * 5], plain[2 * 3 * 3], twin[2 * 3 * 3];
  int64_t places[2 * 3 * 3];
  for (int i = 0; i < 50; ++i) {
    in[i] = static_cast<float>((7 * i) % 13) - 6;
  }
  in[17] = NAN;
  const int32_t from[] = {1, 2, 5, 5}, to[] = {1, 2, 3, 3};
  const uint8_t channels_last[] = {0, 2, 3, 1};
  LocalTensor self(DType::kFloat32, from, in, sizeof(in), channels_last);
  LocalTensor out(DType::kFloat32, to, plain, sizeof(plain));
  LocalTensor out_twin(DType::kFloat32, to, twin, sizeof(twin));
  LocalTensor indices(DType::kInt64, to, places, sizeof(places));
  const int64_t two[] = {2, 2}, three[] = {3, 3}, one[] = {1, 1};
  KernelContext context(nullptr);
  ASSERT_EQ(max_pool2d(context, *self, three, two, one, one, false, *out), Status::kOk);
  ASSERT_EQ(
      max_pool2d_with_indices(context, *self, three, two, one, one, false, *out_twin, *indices),
      Status::kOk);
  int nans = 0;
  for (int i = 0; i < 18; ++i) {
    nans += std::isnan(plain[i]);
    EXPECT_TRUE(plain[i] == twin[i] || (std::isnan(plain[i]) && std::isnan(twin[i]))) << i;
  }
  EXPECT_GT(nans, 0);
}

}  // namespace
}  // namespace cresset::kernels::portable
