// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/portable/kernels.h"
#include "kernels/portable/tensor_for_test.h"

namespace cresset::kernels::portable {
namespace {

using SearchSorted = KernelTest;
using Places = std::vector<int64_t>;

// The corpus has neither a NaN nor a layout but the usual. PyTorch's own results.
TEST_F(SearchSorted, ANaNOfTheSequenceCountsAsLessAndOneOfSelfAsGreater) {
  TestTensor<float> sequence({5}, {1, 2, NAN, NAN, NAN});
  TestTensor<float> self({5}, {1, 2, 3, NAN, INFINITY});
  TestTensor<int64_t> out({5}, Places(5));
  ASSERT_EQ(searchsorted_tensor(context_, *sequence, *self, false, false, nullptr, nullptr, *out),
            Status::kOk);
  EXPECT_EQ(out.memory, (Places{5, 5, 5, 5, 5}));
}

TEST_F(SearchSorted, ReadsColumnsAndASorter) {
  // Rows 1 3 5 and 6 2 4, column by column.
  TestTensor<float> sequence({2, 3}, {1, 6, 3, 2, 5, 4}, {1, 0});
  TestTensor<int64_t> sorter({2, 3}, {0, 1, 2, 1, 2, 0});
  TestTensor<int32_t> self({2, 2}, {3, 2, 6, 9}, {1, 0});  // rows 3 6 and 2 9
  TestTensor<int32_t> out({2, 2}, std::vector<int32_t>(4));
  ASSERT_EQ(searchsorted_tensor(context_, *sequence, *self, true, false, "right", &*sorter, *out),
            Status::kOk);
  EXPECT_EQ(out.memory, (std::vector<int32_t>{2, 3, 1, 3}));
}

TEST_F(SearchSorted, ComparesInTheCommonDtype) {
  // 2049 and 2051 are not float16 numbers.
  TestTensor<int64_t> sequence({3}, {2049, 2050, 2051});
  TestTensor<Half> self({1}, {Half(2050.0f)});
  TestTensor<int64_t> out({1}, {-1});
  ASSERT_EQ(searchsorted_tensor(context_, *sequence, *self, false, false, nullptr, nullptr, *out),
            Status::kOk);
  EXPECT_EQ(out.memory, (Places{1}));
}

TEST_F(SearchSorted, RefusesASorterThatPointsOutside) {
  TestTensor<float> sequence({2}, {2, 1});
  TestTensor<int64_t> sorter({2}, {1, 2});
  TestTensor<float> self({1}, {1});
  TestTensor<int64_t> out({1}, {77});
  EXPECT_EQ(searchsorted_tensor(context_, *sequence, *self, false, false, nullptr, &*sorter, *out),
            Status::kInvalidArgument);
  EXPECT_EQ(error(), "sorter has index 2, expected 0 to 1");
  EXPECT_EQ(out.memory, (Places{77}));
}

}  // namespace
}  // namespace cresset::kernels::portable
