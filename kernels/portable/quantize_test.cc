// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/portable/kernels.h"
#include "kernels/portable/tensor_for_test.h"

namespace cresset::kernels::portable {
namespace {

using Quantize = KernelTest;
using Floats = std::vector<float>;

TEST_F(Quantize, ChannelsOfAnyLayoutHaveTheirOwnScale) {
  TestTensor<float> in({2, 3}, {1, 4, 2, 5, 3, 6}, {1, 0});  // rows 1 2 3 and 4 5 6
  TestTensor<float> scales({2}, {0.5F, 2});
  TestTensor<int64_t> zeros({2}, {0, 1});
  TestTensor<int8_t> out({2, 3}, std::vector<int8_t>(6));
  ASSERT_EQ(
      qd_quantize_per_channel(context_, *in, *scales, *zeros, -2, -128, 127, DType::kInt8, *out),
      Status::kOk);
  EXPECT_EQ(out.memory, (std::vector<int8_t>{2, 4, 6, 3, 3, 4}));
  TestTensor<float> back({2, 3}, Floats(6));
  ASSERT_EQ(qd_dequantize_per_channel(context_, *out, *scales, &*zeros, 0, -128, 127, DType::kInt8,
                                      {}, *back),
            Status::kOk);
  EXPECT_EQ(back.memory, (Floats{1, 2, 3, 4, 4, 6}));
}

TEST_F(Quantize, NanAndInfinityStayWithinTheBounds) {
  TestTensor<float> in({1, 3}, {NAN, INFINITY, -INFINITY});
  TestTensor<double> scale({1, 1}, {0.1});
  TestTensor<int64_t> zero({1, 1}, {3});
  TestTensor<int8_t> out({1, 3}, std::vector<int8_t>(3));
  ASSERT_EQ(qd_quantize_per_token(context_, *in, *scale, *zero, -100, 50, DType::kInt8, *out),
            Status::kOk);
  EXPECT_EQ(out.memory, (std::vector<int8_t>{-100, 50, -100}));
}

TEST_F(Quantize, RefusesAnotherDtypeThanStated) {
  TestTensor<int8_t> in({1}, {1});
  TestTensor<float> out({1}, Floats(1));
  EXPECT_EQ(qd_dequantize_per_tensor(context_, *in, 1, 0, -128, 127, DType::kUInt8, {}, *out),
            Status::kInvalidType);
}

TEST_F(Quantize, PackedRowsAreReadInTheirOrders) {
  TestTensor<uint8_t> nibbles({2, 1}, {0x8F, 0x07});  // 0 7; -8 -1
  TestTensor<float> scales({2}, {1, 2});
  TestTensor<int64_t> rows({2, 1}, {1, 0});
  TestTensor<float> out({2, 1, 2}, Floats(4));
  ASSERT_EQ(qd_embedding_4bit(context_, *nibbles, *scales, nullptr, -8, 7, *rows, *out),
            Status::kOk);
  EXPECT_EQ(out.memory, (Floats{-16, -2, 0, 7}));
  TestTensor<uint8_t> pairs({1, 1}, {0xE4});  // fields 0 1 2 3 from the lowest bits
  TestTensor<float> one({1}, {1});
  TestTensor<int64_t> first({1}, {0});
  TestTensor<float> four({1, 4}, Floats(4));
  ASSERT_EQ(qd_embedding_2bit(context_, *pairs, *one, nullptr, -2, 1, *first, *four), Status::kOk);
  EXPECT_EQ(four.memory, (Floats{-2, -1, 0, 1}));
}

TEST_F(Quantize, AnIndexBeyondTheTableIsNamed) {
  TestTensor<int8_t> table({2, 2}, {1, 2, 3, 4});
  TestTensor<float> scales({2}, {1, 1});
  TestTensor<int64_t> rows({1}, {2});
  TestTensor<float> out({1, 2}, Floats(2));
  EXPECT_EQ(qd_embedding_byte(context_, *table, *scales, nullptr, -128, 127, *rows, *out),
            Status::kInvalidArgument);
  EXPECT_EQ(error(), "index 2 is out of range [0, 1]");
}

TEST_F(Quantize, CachesTakeRowsAndRefuseThoseBehindTheirEnd) {
  TestTensor<int8_t> cache({1, 3, 2}, std::vector<int8_t>(6));
  TestTensor<int8_t> value({1, 1, 2}, {5, 6});
  TestTensor<int8_t> out({1}, {9});
  ASSERT_EQ(update_cache(context_, *value, *cache, 2, *out), Status::kOk);
  EXPECT_EQ(cache.memory, (std::vector<int8_t>{0, 0, 0, 0, 5, 6}));
  EXPECT_EQ(update_cache(context_, *value, *cache, 3, *out), Status::kInvalidArgument);
}

}  // namespace
}  // namespace cresset::kernels::portable
