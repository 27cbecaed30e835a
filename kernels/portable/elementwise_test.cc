// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/message.h"
#include "kernels/portable/kernels.h"

namespace cresset::kernels::portable {
namespace {

// A tensor of T with its own memory; `values` in the order of that memory.
template <class T>
struct Owned {
  Owned(std::vector<int32_t> sizes, std::vector<T> values, std::vector<uint8_t> order = {})
      : memory(std::move(values)),
        tensor(kDTypeOf<T>, sizes, memory.data(), memory.size() * sizeof(T), order) {}
  Tensor& operator*() { return *tensor; }

  std::vector<T> memory;
  LocalTensor tensor;
};

class Elementwise : public testing::Test {
 protected:
  std::string error() const { return message_.text(); }

  char text_[256] = {};
  Message message_{text_};
  KernelContext context_{&message_};
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_F(Elementwise, OutputMayBeAnInput) {
  Owned<float> x({200}, std::vector<float>(200, 3));
  Owned<float> y({200}, std::vector<float>(200, 4));
  ASSERT_EQ(add_tensor(context_, *x, *y, Scalar::of_int(2), *x), Status::kOk);
  EXPECT_EQ(x.memory, std::vector<float>(200, 11));
  ASSERT_EQ(sub_tensor(context_, *x, *y, Scalar::of_int(1), *y), Status::kOk);
  EXPECT_EQ(y.memory, std::vector<float>(200, 7));
}

TEST_F(Elementwise, NarrowOutputMayBeAnInput) {
  std::vector<int8_t> values(300);
  std::vector<int8_t> doubled(300);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int8_t>(i);
    doubled[i] = static_cast<int8_t>(2 * i);
  }
  Owned<int8_t> x({3, 100}, values);
  ASSERT_EQ(add_tensor(context_, *x, *x, Scalar::of_int(1), *x), Status::kOk);
  EXPECT_EQ(x.memory, doubled);
}

TEST_F(Elementwise, DimOrdersMayDiffer) {
  // x[i][j] = 10 i + j lies by columns, the row y by rows, the result by columns again.
  Owned<int32_t> x({2, 3}, {0, 10, 1, 11, 2, 12}, {1, 0});
  Owned<int32_t> y({3}, {100, 200, 300});
  Owned<int32_t> by_columns({2, 3}, std::vector<int32_t>(6), {1, 0});
  Owned<int32_t> by_rows({2, 3}, std::vector<int32_t>(6));
  ASSERT_EQ(add_tensor(context_, *x, *y, Scalar::of_int(1), *by_columns), Status::kOk);
  EXPECT_EQ(by_columns.memory, (std::vector<int32_t>{100, 110, 201, 211, 302, 312}));
  ASSERT_EQ(add_tensor(context_, *x, *y, Scalar::of_int(1), *by_rows), Status::kOk);
  EXPECT_EQ(by_rows.memory, (std::vector<int32_t>{100, 201, 302, 110, 211, 312}));
}

TEST_F(Elementwise, NumbersAreConvertedToTheCommonTypeBeforeTheyAreCompared) {
  Owned<Half> x({2}, {Half(0.1f), Half(0.2f)});
  bool equal_memory[2] = {};
  const int32_t sizes[] = {2};
  LocalTensor out(DType::kBool, sizes, equal_memory, sizeof(equal_memory));
  ASSERT_EQ(eq_scalar(context_, *x, Scalar::of_double(0.1), *out), Status::kOk);
  EXPECT_TRUE(equal_memory[0]);
  EXPECT_FALSE(equal_memory[1]);
}

TEST_F(Elementwise, IntegersWrap) {
  Owned<int64_t> lowest({1}, {INT64_MIN});
  Owned<int64_t> minus_one({1}, {-1});
  Owned<int64_t> out({1}, {0});
  ASSERT_EQ(div_tensor_mode(context_, *lowest, *minus_one, "floor", *out), Status::kOk);
  EXPECT_EQ(out.memory[0], INT64_MIN);
  ASSERT_EQ(remainder_tensor(context_, *lowest, *minus_one, *out), Status::kOk);
  EXPECT_EQ(out.memory[0], 0);
  ASSERT_EQ(abs(context_, *lowest, *out), Status::kOk);
  EXPECT_EQ(out.memory[0], INT64_MIN);
  ASSERT_EQ(mul_tensor(context_, *lowest, *lowest, *out), Status::kOk);
  EXPECT_EQ(out.memory[0], 0);
  ASSERT_EQ(pow_tensor_scalar(context_, *lowest, Scalar::of_int(5), *out), Status::kOk);
  EXPECT_EQ(out.memory[0], 0);
}

TEST_F(Elementwise, DivisionOfIntegersByZeroFails) {
  Owned<int32_t> x({3}, {1, 2, 3});
  Owned<int32_t> y({3}, {1, 0, 1});
  Owned<int32_t> out({3}, {0, 0, 0});
  EXPECT_EQ(div_tensor_mode(context_, *x, *y, "trunc", *out), Status::kInvalidArgument);
  EXPECT_NE(error().find("divided by zero"), std::string::npos) << error();
  EXPECT_EQ(floor_divide(context_, *x, *y, *out), Status::kInvalidArgument);
  EXPECT_EQ(remainder_tensor(context_, *x, *y, *out), Status::kInvalidArgument);
  EXPECT_EQ(fmod_scalar(context_, *x, Scalar::of_int(0), *out), Status::kInvalidArgument);
  EXPECT_EQ(div_tensor_mode(context_, *x, *x, "up", *out), Status::kInvalidArgument);
  EXPECT_NE(error().find("up"), std::string::npos) << error();
}

TEST_F(Elementwise, RefusesWhatADTypeDoesNotHave) {
  Owned<float> x({1}, {1});
  EXPECT_EQ(bitwise_not(context_, *x, *x), Status::kInvalidType);
  EXPECT_EQ(bitwise_and_tensor(context_, *x, *x, *x), Status::kInvalidType);
  EXPECT_NE(error().find("float32"), std::string::npos) << error();
  bool truth[1] = {true};
  const int32_t sizes[] = {1};
  LocalTensor b(DType::kBool, sizes, truth, 1);
  EXPECT_EQ(neg(context_, *b, *b), Status::kInvalidType);
  EXPECT_EQ(sub_tensor(context_, *b, *b, Scalar::of_int(1), *b), Status::kInvalidType);
  Owned<int32_t> i({1}, {1});
  EXPECT_EQ(add_tensor(context_, *i, *i, Scalar::of_double(0.5), *i), Status::kInvalidArgument);
  EXPECT_EQ(gelu(context_, *x, "quick", *x), Status::kInvalidArgument);
  EXPECT_EQ(masked_fill_scalar(context_, *x, *x, Scalar::of_int(1), *x), Status::kInvalidType);
}

TEST_F(Elementwise, NanWinsInBounds) {
  Owned<float> x({3}, {kNan, 1, 9});
  Owned<float> out({3}, {0, 0, 0});
  ASSERT_EQ(clamp(context_, *x, Scalar::of_int(2), Scalar::of_int(5), *out), Status::kOk);
  EXPECT_TRUE(std::isnan(out.memory[0]));
  EXPECT_EQ(out.memory[1], 2);
  EXPECT_EQ(out.memory[2], 5);
  ASSERT_EQ(relu(context_, *x, *out), Status::kOk);
  EXPECT_TRUE(std::isnan(out.memory[0]));
}

TEST_F(Elementwise, CopyWritesIntoSelf) {
  Owned<float> self({2, 3}, std::vector<float>(6, -1));
  Owned<int64_t> row({3}, {1, 2, 3});
  ASSERT_EQ(copy_(context_, *self, *row, false), Status::kOk);
  EXPECT_EQ(self.memory, (std::vector<float>{1, 2, 3, 1, 2, 3}));
  ASSERT_EQ(copy_(context_, *self, *self, false), Status::kOk);
  EXPECT_EQ(self.memory, (std::vector<float>{1, 2, 3, 1, 2, 3}));
  Owned<int64_t> long_row({4}, {1, 2, 3, 4});
  EXPECT_EQ(copy_(context_, *self, *long_row, false), Status::kInvalidArgument);
  Owned<int64_t> deep({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(copy_(context_, *self, *deep, false), Status::kInvalidArgument);
  EXPECT_NE(error().find("[1, 2, 3]"), std::string::npos) << error();
}

TEST_F(Elementwise, FloatsBecomeIntegersWithinTheirRange) {
  Owned<float> x({4}, {kNan, 1e30f, -1e30f, -2.7f});
  Owned<int64_t> out({4}, std::vector<int64_t>(4));
  ASSERT_EQ(_to_copy(context_, *x, false, Optional<int64_t>(), *out), Status::kOk);
  EXPECT_EQ(out.memory, (std::vector<int64_t>{0, INT64_MAX, INT64_MIN, -2}));
}

TEST_F(Elementwise, ViewSharesOrCopies) {
  Owned<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const int64_t wanted[] = {3, -1};
  const int32_t sizes[] = {3, 2};
  LocalTensor bare(DType::kFloat32, sizes, nullptr, 0);
  ASSERT_EQ(prim_et_view(context_, *x, wanted, *bare), Status::kOk);
  EXPECT_EQ(bare->raw_data(), x.memory.data());
  Owned<float> other({3, 2}, std::vector<float>(6));
  ASSERT_EQ(prim_et_view(context_, *x, wanted, *other), Status::kOk);
  EXPECT_EQ(other.memory, x.memory);
}

TEST_F(Elementwise, CopyIndexGrowsSelf) {
  std::vector<float> memory(6, 0);
  int32_t sizes[] = {0, 2};
  int32_t strides[2];
  const uint8_t order[] = {0, 1};
  Tensor self(DType::kFloat32, sizes, order, strides, memory.data(), 24, Dynamism::kBounded);
  Owned<float> piece({2}, {5, 6});
  ASSERT_EQ(prim_et_copy_index(context_, self, *piece, 0), Status::kOk);
  ASSERT_EQ(prim_et_copy_index(context_, self, *piece, 1), Status::kOk);
  EXPECT_EQ(self.size(0), 2);
  EXPECT_EQ(memory, (std::vector<float>{5, 6, 5, 6, 0, 0}));
  EXPECT_EQ(prim_et_copy_index(context_, self, *piece, 3), Status::kInvalidArgument);
  EXPECT_EQ(prim_et_copy_index(context_, self, *piece, -1), Status::kInvalidArgument);
  EXPECT_EQ(self.size(0), 2);
}

}  // namespace
}  // namespace cresset::kernels::portable
