// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/quantizer/observer.h"

namespace cresset::quantizer {

// What became of a node of the model. Numbers are of its (first) result.
struct NodeReport {
  std::string node;    // name of its first result
  std::string op;      // "aten::conv2d"
  std::string module;  // path of the module; may be empty
  std::string source;  // line of the model; may be empty
  uint32_t debug_handle = 0;
  bool quantized = false;
  std::string scheme;                   // "int8 per channel", "int8, range of its input", ...
  std::string reason;                   // why it stays in float
  bool wanted_float = false;            // the user wants it there, or it only moves float elements
  double low = 0, high = 0;             // what calibration saw
  std::optional<QParams> qparams;       // of the result
  std::optional<double> sqnr_db;        // of the result's own rounding, on the calibration data
  std::optional<double> total_sqnr_db;  // with all errors before it, on the first sample
  std::optional<double> weight_sqnr_db;
  std::vector<std::string> warnings;
};

// How the outputs of the quantized model differ from the float model's on the calibration data.
struct OutputReport {
  std::string name;
  double sqnr_db = 0;
  // Fraction of rows (along the last dimension) whose largest element is at the same place; empty
  // where rows have one element.
  std::optional<double> top1_agreement;
};

struct Report {
  std::string method;
  std::string scheme;
  uint64_t samples = 0;  // of calibration; 0: the scheme needs none
  std::vector<OutputReport> outputs;
  std::vector<NodeReport> nodes;      // in the order of the graph
  std::vector<std::string> warnings;  // about the whole
};

}  // namespace cresset::quantizer
