// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/arena.h"
#include "core/dtype.h"
#include "core/half.h"
#include "core/kernel_context.h"
#include "core/message.h"
#include "core/result.h"
#include "core/tensor.h"
#include "core/value.h"

namespace cresset {
namespace {

TEST(Half, EveryHalfSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    const float value = half;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(Half(value))));
    } else {
      EXPECT_EQ(Half(value).bits, bits);
    }
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(Half(2049.0f).bits, Half(2048.0f).bits);
  EXPECT_EQ(Half(2051.0f).bits, Half(2052.0f).bits);
  EXPECT_EQ(Half(65519.0f).bits, 0x7bff);
  EXPECT_EQ(Half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Half(std::ldexp(1.0f, -25)).bits, 0);
  EXPECT_EQ(Half(std::ldexp(1.5f, -25)).bits, 1);
  EXPECT_EQ(BFloat16(1.0f + std::ldexp(1.0f, -8)).bits, BFloat16(1.0f).bits);
}

TEST(DType, PromotesAsPyTorchDoes) {
  EXPECT_EQ(promote(DType::kUInt8, DType::kInt8), DType::kInt16);
  EXPECT_EQ(promote(DType::kFloat16, DType::kBFloat16), DType::kFloat32);
  EXPECT_EQ(promote(DType::kInt64, DType::kFloat16), DType::kFloat16);
  EXPECT_EQ(promote(DType::kBool, DType::kUInt8), DType::kUInt8);
  EXPECT_EQ(promote(DType::kFloat64, DType::kComplex64), DType::kComplex128);
}

TEST(Tensor, StridesFollowTheDimOrder) {
  int32_t sizes[] = {2, 3, 4, 5};
  int32_t strides[4];
  const uint8_t order[] = {0, 2, 3, 1};
  const Tensor tensor(DType::kFloat32, sizes, order, strides, nullptr, 0);
  EXPECT_EQ(tensor.numel(), 120);
  EXPECT_EQ(tensor.stride(0), 60);
  EXPECT_EQ(tensor.stride(1), 1);
  EXPECT_EQ(tensor.stride(2), 15);
  EXPECT_EQ(tensor.stride(3), 3);
  EXPECT_FALSE(tensor.is_contiguous());
}

TEST(Tensor, ResizesWithinItsCapacityOnly) {
  float data[6];
  const int32_t sizes[] = {2, 3};
  LocalTensor tensor(DType::kFloat32, sizes, data, sizeof(data));
  const int32_t smaller[] = {1, 3};
  const int32_t larger[] = {3, 3};
  EXPECT_EQ(tensor->resize(smaller), Status::kOk);
  EXPECT_EQ(tensor->resize(larger), Status::kInvalidArgument);
  EXPECT_EQ(tensor->size(0), 1);
}

TEST(Tensor, BytesRefuseOverflow) {
  size_t bytes = 0;
  const int32_t huge[] = {65536, 65536};
  const int32_t negative[] = {-1};
  EXPECT_FALSE(tensor_bytes(DType::kInt8, huge, &bytes));
  EXPECT_FALSE(tensor_bytes(DType::kInt8, negative, &bytes));
  const int32_t empty[] = {65536, 65536, 0};
  EXPECT_TRUE(tensor_bytes(DType::kInt8, empty, &bytes));
  EXPECT_EQ(bytes, 0u);
}

TEST(Message, FillsPlaceholdersAndCutsOff) {
  MessageBuffer<64> message;
  const int32_t sizes[] = {2, 3};
  EXPECT_EQ(message.fail(Status::kInvalidArgument, "got {} of {}, {}", Span<const int32_t>(sizes),
                         DType::kBool, -1.5),
            Status::kInvalidArgument);
  EXPECT_STREQ(message.text(), "got [2, 3] of bool, -1.5");
  MessageBuffer<8> small;
  small.append("{}{}", "abcdef", 12345);
  EXPECT_STREQ(small.text(), "abcdef1");
}

TEST(Arena, SaysWhatWouldHaveBeenNeeded) {
  alignas(16) uint8_t memory[32];
  Arena arena{Span<uint8_t>(memory)};
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  EXPECT_EQ(arena.allocate(32, 16), nullptr);
  EXPECT_EQ(arena.used(), 48u);
  Arena counter;
  EXPECT_EQ(counter.allocate_array<int64_t>(4), nullptr);
  EXPECT_EQ(counter.used(), 32u);
}

TEST(Value, IntListFollowsItsItems) {
  Value three = Value::of_int(3);
  Value four = Value::of_int(4);
  Value* items[] = {&three, &four};
  int64_t ints[2];
  IntList list{ints, items, 2};
  const Value value = Value::of_int_list(&list);
  EXPECT_EQ(value.as_ints()[1], 4);
  four = Value::of_int(9);
  EXPECT_EQ(value.as_ints()[1], 9);
}

TEST(Result, CarriesValueOrStatus) {
  const Result<int> good(3);
  EXPECT_EQ(*good, 3);
  const Result<int> bad(Status::kNotFound);
  EXPECT_EQ(bad.status(), Status::kNotFound);
}

TEST(KernelContext, ScratchIsBounded) {
  MessageBuffer<128> message;
  alignas(16) uint8_t memory[64];
  KernelContext context(&message, memory);
  void* scratch = nullptr;
  EXPECT_EQ(context.scratch(64, &scratch), Status::kOk);
  EXPECT_EQ(context.scratch(65, &scratch), Status::kMemoryAllocationFailed);
  EXPECT_STREQ(message.text(), "needs 65 bytes of scratch memory, given 64");
}

}  // namespace
}  // namespace cresset
