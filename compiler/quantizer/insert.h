// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>

#include "compiler/quantizer/options.h"
#include "compiler/quantizer/plan.h"

namespace cresset::quantizer {

// Parameters by the names of the values that own them.
using QParamsByName = std::map<std::string, QParams>;

struct Inserted {
  // The integers of each quantized value, and the SQNR of each product's weights, by name of value
  // and of node.
  std::map<std::string, ir::Value*> integers;
  std::map<std::string, double> weight_sqnr_db;
};

// Writes the plan into the graph, in the form that PyTorch's converted models have: integers run
// between units through quantized_decomposed quantize and dequantize nodes, weights are integer
// constants that a node dequantizes, biases stay float. Inputs and outputs of the graph stay float.
// `input_means`: of the channels of products' inputs, by name; biases are corrected by them.
ir::Expected<Inserted> insert(ir::Graph& graph, const Plan& plan, const QParamsByName& qparams,
                              const Options& options,
                              const std::map<std::string, std::vector<double>>& input_means = {});

// What quantized weights shift in the mean of a product's results, which goes into its bias.
// `means`: of the channels of the product's input.
std::vector<double> mean_shift(const ir::Node& product, const QuantizedWeight& quantized,
                               const std::vector<double>& means);

// Parameters of a constant that takes part as an activation.
QParams qparams_of_constant(const ir::ConstantPtr& constant);

}  // namespace cresset::quantizer
