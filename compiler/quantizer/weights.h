// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/ir/graph.h"

namespace cresset::quantizer {

enum class WeightRule : uint8_t {
  kMinMax,  // the largest weight is the largest integer
  kMse,     // the scale of least squared error
};
// "min-max", "mse"; false for any other name.
bool read_weight_rule(std::string_view name, WeightRule* rule);

// Weights as symmetric 8-bit integers, -127 .. 127.
struct QuantizedWeight {
  ir::ConstantPtr integers;    // i8, the shape of the weights, row-major
  std::vector<float> scales;   // one a channel, or one
  std::optional<size_t> axis;  // of the channels; empty: one scale for all
  double sqnr_db = 0;
};

// The elements of a float32 constant, row-major.
std::vector<float> floats_of(const ir::ConstantPtr& constant);

// `weight` is float32. `axis` empty: one scale for all. Scales are at least `least`, one a channel
// or none: a channel of tiny weights must not get so fine a scale that its bias, in units of it,
// leaves 32 bits.
QuantizedWeight quantize_weight(const ir::ConstantPtr& weight, std::optional<size_t> axis,
                                WeightRule rule, const std::vector<float>& least = {});

}  // namespace cresset::quantizer
