// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/quantizer/insert.h"
#include "compiler/quantizer/options.h"
#include "compiler/quantizer/plan.h"
#include "compiler/quantizer/report.h"

// Calibration: the float model on the data, and afterwards the quantized one beside it.
namespace cresset::quantizer {

struct Observations {
  std::map<std::string, Observer> values;         // by name: the plan's owners, products' inputs
  std::map<std::string, ir::ConstantPtr> first;   // the owners on the first sample
  std::vector<std::vector<eval::Datum>> outputs;  // of the float model, a list a sample
};

ir::Expected<Observations> observe(const ir::Graph& graph, const Plan& plan,
                                   const Calibration& calibration, const Context& context);

struct Comparison {
  std::vector<OutputReport> outputs;            // float tensors among the graph's outputs
  double sqnr_db = 0;                           // of all of them together
  std::map<std::string, double> total_sqnr_db;  // of the owners, on the first sample
};

// Runs the quantized graph on the same data, at most `samples` of it, picked evenly. Buffers keep
// their contents from one to the next.
ir::Expected<Comparison> compare(const ir::Graph& quantized, const Inserted& inserted,
                                 const QParamsByName& qparams, const Observations& observed,
                                 const Calibration& calibration, const Context& context,
                                 size_t samples);

}  // namespace cresset::quantizer
