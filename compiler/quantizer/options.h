// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/eval/datum.h"
#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "compiler/quantizer/observer.h"
#include "compiler/quantizer/weights.h"
#include "core/parallel.h"
#include "ops/kernel_table.h"

namespace cresset::quantizer {

// What the user asks for.
struct Options {
  std::string scheme;          // a row of schemes.def
  bool per_tensor = false;     // one scale for all channels of a weight
  int64_t group_size = 0;      // elements that share a scale, of schemes with groups; 0: theirs
  int64_t embedding_bits = 0;  // 8, 4 or 2: tables too, of schemes without ranges; 0: they stay
  RangeRule ranges = RangeRule::kMse;
  WeightRule weights = WeightRule::kMse;
  bool correct_bias = true;  // what quantized weights shift in the mean goes into the bias
  // Patterns (* and ?) of module paths, operators (conv2d, aten::conv2d) and node names that stay
  // in float.
  std::vector<std::string> keep_float;
  // The most sensitive nodes stay in float until the outputs' SQNR on the calibration data lies at
  // most so many dB below that of exact outputs that are rounded to 8 bits.
  std::optional<double> max_drop_db;
  bool strict = false;  // anything left in float that was not asked to be is an error
};

// Calls of the model: inputs in the graph's order.
struct Calibration {
  std::vector<std::vector<eval::Datum>> samples;
  bool random = false;  // made up: ranges mean nothing
};

// The pipeline's part.
struct Context {
  ops::KernelTables kernels;        // outlive the call
  ParallelFor* parallel = nullptr;  // may be null
  // Runs the passes behind quantization until each node is a row with a kernel among `kernels`.
  std::function<ir::Error(ir::Graph&)> lower;
};

}  // namespace cresset::quantizer
