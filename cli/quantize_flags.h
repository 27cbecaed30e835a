// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/json.h"
#include "compiler/pipeline.h"
#include "core/error.h"
#include "extensions/data/image.h"

namespace cresset::cli {

// --quantize and what belongs to it.
struct QuantizeFlags {
  std::string scheme;
  std::vector<std::string> calibrate;
  bool per_tensor = false;
  int64_t group_size = 0;
  int64_t embedding_bits = 0;
  std::string ranges = "mse", weights = "mse";
  std::vector<std::string> keep_float;
  double max_drop_db = -1;
  bool no_bias_correction = false;
};
// Returns the options that it added.
std::vector<CLI::Option*> add_quantize_flags(CLI::App& app, QuantizeFlags* flags);
// Throws CLI::ValidationError where an option that was given means nothing to the scheme.
void check_quantize_flags(const CLI::App& app, const QuantizeFlags& flags);
// Nothing where no scheme is asked for. `image`: how pictures among the calibration data become
// numbers.
void apply(const QuantizeFlags& flags, const data::ImageOptions& image, bool strict,
           compiler::CompileOptions* options);

// What became of a model: lines for people, how many quantized, SQNR and warnings; with `verbose`
// every node.
std::string quantization_text(const std::vector<quantizer::Report>& reports, bool verbose);
Json quantization_json(const std::vector<quantizer::Report>& reports);
// A part of the report's page; empty where nothing was quantized.
std::string quantization_html(const std::vector<quantizer::Report>& reports);

}  // namespace cresset::cli
