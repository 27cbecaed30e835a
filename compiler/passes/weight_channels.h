// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "compiler/ir/graph.h"
#include "ops/multipliers.h"

namespace cresset::passes {

// Which output channel of a product each weight belongs to: dimension 0, or, where the convolution
// is transposed, dimension 1 in each group of dimension 0.
struct WeightChannels {
  size_t count = 0;
  size_t groups = 1;
  bool transposed = false;

  // Channels of weights of this static type.
  static WeightChannels of(const ir::TensorType& type, size_t groups, bool transposed);
};

// What each channel's sums of weights times (x - x_zero) can be, for any x of its 8-bit dtype.
// `weight` holds int8.
std::vector<ops::SumBounds> sum_bounds(const ir::Constant& weight, const WeightChannels& channels,
                                       DType x_dtype, int64_t x_zero);

}  // namespace cresset::passes
