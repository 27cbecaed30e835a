// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <vector>

#include "kernels/portable/kernels.h"

namespace cresset::kernels::portable {
namespace {

// Hands out every index on its own, the last one first.
class OneByOne final : public ParallelFor {
 public:
  void run(int64_t count, int64_t, FunctionRef<void(int64_t, int64_t)> body) override {
    for (int64_t i = count; i-- > 0;) {
      body(i, i + 1);
    }
  }
};

struct Shape {
  int32_t channels, filters;
  int64_t groups;
  bool channels_last;
};

std::vector<int8_t> convolved(const Shape& shape, ParallelFor* parallel) {
  constexpr int32_t kBatch = 2, kSize = 9;
  std::vector<int8_t> x(static_cast<size_t>(kBatch * shape.channels * kSize * kSize));
  std::vector<int8_t> weight(
      static_cast<size_t>(shape.filters * shape.channels / shape.groups * 9));
  std::vector<int8_t> y(static_cast<size_t>(kBatch * shape.filters * kSize * kSize));
  std::vector<float> scale(static_cast<size_t>(shape.filters));
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<int8_t>(i * 37 % 251);
  }
  for (size_t i = 0; i < weight.size(); ++i) {
    weight[i] = static_cast<int8_t>(i * 91 % 253);
  }
  for (size_t i = 0; i < scale.size(); ++i) {
    scale[i] = 0.001f * static_cast<float>(i % 7 + 1);
  }
  const int32_t x_sizes[] = {kBatch, shape.channels, kSize, kSize};
  const int32_t w_sizes[] = {shape.filters, shape.channels / static_cast<int32_t>(shape.groups), 3,
                             3};
  const int32_t y_sizes[] = {kBatch, shape.filters, kSize, kSize};
  const int32_t scale_sizes[] = {shape.filters};
  const std::vector<uint8_t> order =
      shape.channels_last ? std::vector<uint8_t>{0, 2, 3, 1} : std::vector<uint8_t>{0, 1, 2, 3};
  LocalTensor in(DType::kInt8, x_sizes, x.data(), x.size(), order);
  LocalTensor factors(DType::kInt8, w_sizes, weight.data(), weight.size());
  LocalTensor scales(DType::kFloat32, scale_sizes, scale.data(), scale.size() * 4);
  LocalTensor out(DType::kInt8, y_sizes, y.data(), y.size(), order);
  KernelContext context(nullptr, {}, parallel);
  const int64_t one[] = {1, 1};
  EXPECT_EQ(qconv2d(context, *in, *factors, nullptr, *scales, nullptr, 1, 3, 5, 1, -128, 127, one,
                    one, one, shape.groups, {}, *out),
            Status::kOk);
  return y;
}

// Blocks, planes and rows of channels: pieces in any order give the same bits.
TEST(IntegerConvolution, PiecesInAnyOrder) {
  OneByOne pieces;
  for (const bool channels_last : {false, true}) {
    for (const Shape& shape : {Shape{5, 70, 1, channels_last}, Shape{6, 8, 2, channels_last},
                               Shape{70, 70, 70, channels_last}, Shape{3, 6, 3, channels_last}}) {
      EXPECT_EQ(convolved(shape, &pieces), convolved(shape, nullptr)) << shape.filters;
    }
  }
}

// The output may be the memory of an operand of its dtype, shape and layout.
TEST(IntegerElementwise, InPlace) {
  std::vector<int8_t> a(200), b(200), want(200);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<int8_t>(i * 3), b[i] = static_cast<int8_t>(i * 7);
  }
  const int32_t sizes[] = {200};
  LocalTensor x(DType::kInt8, sizes, a.data(), a.size());
  LocalTensor y(DType::kInt8, sizes, b.data(), b.size());
  LocalTensor z(DType::kInt8, sizes, want.data(), want.size());
  KernelContext context(nullptr);
  for (Tensor* const out : {&*z, &*x}) {
    ASSERT_EQ(qadd(context, *x, *y, 0.1, 3, 0.2, -5, 0.25, 1, -128, 127, {}, {}, *out),
              Status::kOk);
  }
  EXPECT_EQ(a, want);
}

}  // namespace
}  // namespace cresset::kernels::portable
