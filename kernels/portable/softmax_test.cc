// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/portable/kernels.h"

namespace cresset::kernels::portable {
namespace {

template <class T>
void check_in_place(bool logarithm, int64_t dim, std::vector<uint8_t> order) {
  std::vector<T> in(3 * 40 * 5), out(in.size()), same;
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<T>(static_cast<float>(i * 37 % 101) / 16 - 3);
  }
  same = in;
  const int32_t sizes[] = {3, 40, 5};
  const size_t bytes = in.size() * sizeof(T);
  LocalTensor x(kDTypeOf<T>, sizes, in.data(), bytes, order);
  LocalTensor y(kDTypeOf<T>, sizes, out.data(), bytes, order);
  LocalTensor z(kDTypeOf<T>, sizes, same.data(), bytes, order);
  KernelContext context(nullptr);
  ASSERT_EQ((logarithm ? _log_softmax : _softmax)(context, *x, dim, false, *y), Status::kOk);
  ASSERT_EQ((logarithm ? _log_softmax : _softmax)(context, *z, dim, false, *z), Status::kOk);
  for (size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(static_cast<double>(out[i]), static_cast<double>(same[i])) << i;
    ASSERT_NE(static_cast<double>(out[i]), static_cast<double>(in[i])) << i;
  }
}

TEST(Softmax, OutputMayBeTheInput) {
  for (const bool logarithm : {false, true}) {
    for (const int64_t dim : {0, 1, -1}) {
      check_in_place<float>(logarithm, dim, {});
      check_in_place<float>(logarithm, dim, {0, 2, 1});
      check_in_place<double>(logarithm, dim, {2, 0, 1});
      check_in_place<Half>(logarithm, dim, {});
    }
  }
}

TEST(Softmax, LargeNumbersDoNotOverflow) {
  float values[] = {1000, 1000, -std::numeric_limits<float>::infinity(), 900};
  const int32_t sizes[] = {4};
  LocalTensor x(DType::kFloat32, sizes, values, sizeof(values));
  KernelContext context(nullptr);
  ASSERT_EQ(_softmax(context, *x, 0, false, *x), Status::kOk);
  EXPECT_EQ(values[0], 0.5f);
  EXPECT_EQ(values[1], 0.5f);
  EXPECT_EQ(values[2], 0.0f);
  EXPECT_LT(values[3], 1e-30f);
}

}  // namespace
}  // namespace cresset::kernels::portable
