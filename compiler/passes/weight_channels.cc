// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/weight_channels.h"

#include "compiler/passes/constant_numbers.h"
#include "ops/infer_integer.h"

namespace cresset::passes {

WeightChannels WeightChannels::of(const ir::TensorType& type, size_t groups, bool transposed) {
  const size_t rows = static_cast<size_t>(*type.sizes[0].known());
  const size_t columns = static_cast<size_t>(*type.sizes[1].known());
  return {transposed ? columns * groups : rows, groups, transposed};
}

std::vector<ops::SumBounds> sum_bounds(const ir::Constant& weight, const WeightChannels& channels,
                                       DType x_dtype, int64_t x_zero) {
  const int64_t low = ops::infer::least_integer(x_dtype) - x_zero;
  const int64_t high = ops::infer::greatest_integer(x_dtype) - x_zero;
  const std::vector<size_t> strides = strides_of(weight.type);
  const auto size = [&](size_t d) { return static_cast<size_t>(*weight.type.sizes[d].known()); };
  const auto channel = [&](size_t i) {
    const size_t row = i / strides[0] % size(0);
    return channels.transposed
               ? row / (size(0) / channels.groups) * size(1) + i / strides[1] % size(1)
               : row;
  };
  std::vector<ops::SumBounds> bounds(channels.count);
  for (size_t i = 0; i < weight.size_bytes; ++i) {
    bounds[channel(i)].add(static_cast<int8_t>(weight.bytes[i]), low, high);
  }
  return bounds;
}

}  // namespace cresset::passes
