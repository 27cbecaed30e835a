// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/quantizer/options.h"
#include "compiler/quantizer/report.h"

namespace cresset::quantizer {

// One method to be quantized. The graph is functional and normalized, norms are folded into
// products where they can be; a scheme changes it in place and fills the report's outputs, nodes
// and warnings.
struct Job {
  ir::Graph& graph;
  const Options& options;
  const Calibration& calibration;  // not empty where the scheme needs some
  const Context& context;
  Report& report;
};

#define SCHEME(id, name, calibrates, summary) ir::Error quantize_##id(Job& job);
#include "compiler/quantizer/schemes.def"
#undef SCHEME

}  // namespace cresset::quantizer
