// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/nearest_names.h"

#include <gtest/gtest.h>

namespace cresset::frontend {
namespace {

TEST(NearestNames, SortsByDistanceAndDropsStrangers) {
  const std::string_view names[] = {"aten::add.Scalar", "aten::add.Tensor", "aten::addmm",
                                    "aten::add_.Tensor", "aten::convolution"};
  EXPECT_EQ(nearest_names("aten::ad.Tensor", names, 2),
            (std::vector<std::string_view>{"aten::add.Tensor", "aten::add_.Tensor"}));
  EXPECT_TRUE(nearest_names("mylib::frobnicate_the_gadget", names, 3).empty());
  EXPECT_EQ(nearest_names("aten::addmm", names, 1), (std::vector<std::string_view>{"aten::addmm"}));
}

}  // namespace
}  // namespace cresset::frontend
