// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/quantize_flags.h"

#include <fmt/ranges.h>

#include <charconv>
#include <limits>

#include "compiler/quantizer/quantizer.h"
#include "extensions/session/calibration.h"
#include "extensions/threads/thread_pool.h"

namespace cresset::cli {

namespace {

template <class Number>
bool is_number(const std::string& text, Number least) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, value);
  return code == std::errc() && at == end && value >= least &&
         static_cast<double>(value) <= std::numeric_limits<double>::max();
}

}  // namespace

std::vector<CLI::Option*> add_quantize_flags(CLI::App& app, QuantizeFlags* flags) {
  std::vector<CLI::Option*> added = {
      app.add_option("--quantize", flags->scheme,
                     "Quantize the model: " + quantizer::scheme_names())
          ->check([](const std::string& name) { return quantizer::check_scheme(name).text; })
          ->type_name("SCHEME"),
      app.add_option("--calibrate", flags->calibrate,
                     "Inputs to find ranges by: a case file, .npz, .safetensors, a folder of .npy "
                     "files or pictures, or 'random'; repeated")
          ->type_name("F")
          ->allow_extra_args(false),
      app.add_flag("--per-tensor", flags->per_tensor, "One scale for all channels of a weight"),
      app.add_option("--group-size", flags->group_size, "Weights that share a scale")
          ->check([](const std::string& text) {
            return is_number<int64_t>(text, 1) ? ""
                                               : "'" + text + "' is not a whole number above 0";
          })
          ->type_name("N"),
      app.add_option("--embedding-bits", flags->embedding_bits,
                     "Embeddings in so many bits, too (of schemes other than int8): 8, 4 or 2")
          ->check(CLI::IsMember({8, 4, 2}))
          ->type_name("N"),
      app.add_option("--keep-float", flags->keep_float,
                     "Modules, operators or nodes that stay in float, with * and ?; repeated")
          ->type_name("PATTERN")
          ->allow_extra_args(false),
      app.add_option(
             "--max-drop", flags->max_drop_db,
             "Keep the most sensitive nodes in float until the outputs lose at most so many "
             "dB against exact ones that are rounded to 8 bits")
          ->check([](const std::string& text) {
            return is_number<double>(text, 0) ? "" : "'" + text + "' is not a number from 0 up";
          })
          ->type_name("DB"),
      app.add_option("--ranges", flags->ranges,
                     "How ranges follow from calibration: mse, min-max, moving-average, percentile")
          ->check(CLI::IsMember({"mse", "min-max", "moving-average", "percentile"}))
          ->type_name("RULE"),
      app.add_option("--weight-scales", flags->weights,
                     "How scales follow from weights: mse, min-max")
          ->check(CLI::IsMember({"mse", "min-max"}))
          ->type_name("RULE"),
      app.add_flag("--no-bias-correction", flags->no_bias_correction, "Leave biases as they are"),
  };
  for (size_t i = 1; i < added.size(); ++i) {
    added[i]->needs(added[0]);
  }
  return added;
}

void check_quantize_flags(const CLI::App& app, const QuantizeFlags& flags) {
  if (flags.scheme.empty()) {
    return;
  }
  const bool ranges = quantizer::has_ranges(flags.scheme);
  const std::vector<std::string> foreign =
      ranges ? std::vector<std::string>{"--group-size", "--embedding-bits"}
             : std::vector<std::string>{"--per-tensor", "--max-drop", "--ranges",
                                        "--no-bias-correction"};
  for (const std::string& option : foreign) {
    if (app.count(option) > 0) {
      throw CLI::ValidationError(
          option, fmt::format("{} has {}", flags.scheme,
                              ranges ? "no groups, and leaves embeddings as they are"
                                     : "scales of rows or groups of weights, and no ranges"));
    }
  }
}

void apply(const QuantizeFlags& flags, const data::ImageOptions& image, bool strict,
           compiler::CompileOptions* options) {
  if (flags.scheme.empty()) {
    return;
  }
  quantizer::Options quantize;
  quantize.scheme = flags.scheme;
  quantize.per_tensor = flags.per_tensor;
  quantize.group_size = flags.group_size;
  quantize.embedding_bits = flags.embedding_bits;
  quantizer::read_range_rule(flags.ranges, &quantize.ranges);
  quantizer::read_weight_rule(flags.weights, &quantize.weights);
  quantize.correct_bias = !flags.no_bias_correction;
  quantize.keep_float = flags.keep_float;
  if (flags.max_drop_db >= 0) {
    quantize.max_drop_db = flags.max_drop_db;
  }
  quantize.strict = strict;
  options->quantize = std::move(quantize);
  // Lives as long as the process: compiling may run the model on all cores.
  static ThreadPool pool(0);
  options->parallel = &pool;
  if (!flags.calibrate.empty()) {
    options->calibrate = [sources = flags.calibrate,
                          image](const ir::Graph& method) -> ir::Expected<quantizer::Calibration> {
      Expected<quantizer::Calibration> read = read_calibration(method, sources, image);
      return read.ok() ? ir::Expected<quantizer::Calibration>(*std::move(read))
                       : ir::error(read.error().status, read.error().text);
    };
  }
}

}  // namespace cresset::cli
