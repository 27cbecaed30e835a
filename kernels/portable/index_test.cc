// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/portable/kernels.h"
#include "kernels/portable/tensor_for_test.h"

namespace cresset::kernels::portable {
namespace {

using Index = KernelTest;
using Ints = std::vector<int32_t>;

// bool has no vector of its own memory.
struct Mask {
  Mask(std::vector<int32_t> sizes, std::vector<uint8_t> bytes)
      : memory(std::move(bytes)), tensor(DType::kBool, sizes, memory.data(), memory.size()) {}
  std::vector<uint8_t> memory;
  LocalTensor tensor;
};

TEST_F(Index, WritesInPlaceThroughAnyLayout) {
  TestTensor<int32_t> self({2, 3}, Ints(6), {1, 0});
  TestTensor<int64_t> rows({2}, {1, -2});
  TestTensor<int64_t> columns({2}, {2, 2});
  TestTensor<int32_t> values({1}, {5});
  Tensor* const indices[] = {&*rows, &*columns};
  ASSERT_EQ(index_put_(context_, *self, TensorSpan(indices, 2), *values, false), Status::kOk);
  EXPECT_EQ(self.memory, (Ints{0, 0, 0, 0, 5, 5}));
}

TEST_F(Index, RepeatedPlacesAddUpAndTheLastValueWins) {
  TestTensor<int32_t> self({3}, {1, 1, 1});
  TestTensor<int64_t> places({3}, {0, 0, 2});
  TestTensor<int32_t> values({3}, {10, 20, 30});
  TestTensor<int32_t> out({3}, Ints(3));
  Tensor* const indices[] = {&*places};
  ASSERT_EQ(index_put(context_, *self, TensorSpan(indices, 1), *values, true, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{31, 1, 31}));
  ASSERT_EQ(index_put(context_, *self, TensorSpan(indices, 1), *values, false, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{20, 1, 30}));
}

TEST_F(Index, ErrorsNameTheValueAndItsRange) {
  TestTensor<int32_t> self({3}, {1, 2, 3});
  TestTensor<int64_t> places({1}, {-4});
  TestTensor<int32_t> out({1}, {77});
  Tensor* const indices[] = {&*places};
  EXPECT_EQ(index_tensor(context_, *self, TensorSpan(indices, 1), *out), Status::kInvalidArgument);
  EXPECT_EQ(error(), "index -4 is out of range [-3, 2]");
  EXPECT_EQ(gather(context_, *self, 0, *places, false, *out), Status::kInvalidArgument);
  EXPECT_EQ(error(), "index -4 is out of range [0, 2]");
  places.memory[0] = INT64_MAX;
  EXPECT_EQ(index_select(context_, *self, 0, *places, *out), Status::kInvalidArgument);
  EXPECT_EQ(error(), "index 9223372036854775807 is out of range [0, 2]");
  EXPECT_EQ(out.memory[0], 77);
}

TEST_F(Index, AMaskBesideAnIndexTensorStandsForItsTruePlaces) {
  TestTensor<int32_t> self({2, 2, 2}, counting<int32_t>(8));
  Mask mask({2, 2}, {0, 1, 1, 0});
  TestTensor<int64_t> last({1}, {1});
  TestTensor<int32_t> out({8}, Ints(8));
  Tensor* const indices[] = {&*mask.tensor, &*last};
  ASSERT_EQ(index_tensor(context_, *self, TensorSpan(indices, 2), *out), Status::kOk);
  ASSERT_EQ(out->size(0), 2);
  EXPECT_EQ(out.memory[0], 3);
  EXPECT_EQ(out.memory[1], 5);
}

TEST_F(Index, ALackOfScratchIsAnError) {
  TestTensor<int32_t> self({2}, {1, 2});
  Mask mask({2}, {1, 1});
  TestTensor<int32_t> out({2}, Ints(2));
  Tensor* const indices[] = {&*mask.tensor};
  KernelContext poor(&message_);
  EXPECT_EQ(index_tensor(poor, *self, TensorSpan(indices, 1), *out),
            Status::kMemoryAllocationFailed);
}

TEST_F(Index, AnOutputTooSmallForTheDataIsAnError) {
  TestTensor<int32_t> self({4}, {1, 2, 3, 4});
  Mask mask({4}, {1, 1, 0, 1});
  TestTensor<int32_t> out({2}, Ints(2));
  EXPECT_EQ(masked_select(context_, *self, *mask.tensor, *out), Status::kInvalidArgument);
  EXPECT_EQ(error(), "3 elements for an output of shape [2]");
}

TEST_F(Index, MeanOfIntegersRoundsDown) {
  TestTensor<int32_t> self({2}, {-8, 5});
  TestTensor<int64_t> index({2}, {0, 0});
  TestTensor<int32_t> src({2}, {1, 0});
  TestTensor<int32_t> out({2}, Ints(2));
  ASSERT_EQ(scatter_reduce_two(context_, *self, 0, *index, *src, "mean", true, *out), Status::kOk);
  EXPECT_EQ(out.memory, (Ints{-3, 5}));
}

TEST_F(Index, IntegersWrapWhereTheyAdd) {
  TestTensor<int32_t> self({1}, {INT32_MAX});
  TestTensor<int64_t> index({1}, {0});
  TestTensor<int32_t> src({1}, {1});
  TestTensor<int32_t> out({1}, Ints(1));
  ASSERT_EQ(scatter_add(context_, *self, 0, *index, *src, *out), Status::kOk);
  EXPECT_EQ(out.memory[0], INT32_MIN);
}

}  // namespace
}  // namespace cresset::kernels::portable
