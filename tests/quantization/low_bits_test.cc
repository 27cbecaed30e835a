// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/low_bits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "compiler/frontend/import.h"
#include "compiler/pipeline.h"
#include "extensions/data/cases.h"
#include "extensions/module/module.h"
#include "kernels/registry.h"

namespace cresset::tests {
namespace {

using data::HostTensor;
using data::HostValue;

const std::string kSets = CRESSET_SOURCE_DIR "/tests/data/quantization/";
const std::string kModel = CRESSET_CORPUS_DIR "/models/stories260k/model.pt2";

using Inputs = std::vector<std::vector<HostValue>>;

Inputs inputs_of(const std::string& file) {
  Inputs inputs;
  const auto cases = data::read_program_cases(kSets + file);
  EXPECT_TRUE(cases.ok()) << (cases.ok() ? "" : cases.error().text);
  for (size_t i = 0; cases.ok() && i < cases->size(); ++i) {
    inputs.push_back((*cases)[i].inputs);
  }
  return inputs;
}

eval::Datum datum_of(const HostTensor& tensor) {
  std::vector<ir::Dim> sizes(tensor.sizes().begin(), tensor.sizes().end());
  return ir::make_constant("", {tensor.dtype(), std::move(sizes), {}}, tensor.bytes().data(),
                           tensor.size_bytes());
}

// The logits of the held-out story; empty scheme: of the float model.
std::vector<float> logits(const std::string& scheme, quantizer::WeightRule rule) {
  const auto imported = frontend::import_program(kModel);
  EXPECT_TRUE(imported.ok());
  compiler::CompileOptions options;
  options.kernels = kernels::host_kernels();
  if (!scheme.empty()) {
    options.quantize.emplace();
    options.quantize->scheme = scheme;
    options.quantize->weights = rule;
    options.quantize->group_size = 32;
    options.calibrate = [](const ir::Graph&) -> ir::Expected<quantizer::Calibration> {
      quantizer::Calibration data;
      for (const std::vector<HostValue>& call : inputs_of("stories_calibration.safetensors")) {
        data.samples.emplace_back();
        for (const HostValue& value : call) {
          data.samples.back().push_back(datum_of(*value.get<HostTensor>()));
        }
      }
      return data;
    };
  }
  auto compiled = compiler::compile(std::vector{imported->graph}, options);
  EXPECT_TRUE(compiled.ok()) << (compiled.ok() ? "" : compiled.error().text);
  ModuleOptions module;
  module.kernels.assign(options.kernels.begin(), options.kernels.end());
  auto loaded =
      Module::from_bytes(data::FileBytes::own(std::move(compiled->program)), "stories", module);
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : loaded.error().text);
  std::vector<float> result;
  for (const std::vector<HostValue>& call : inputs_of("stories_test.safetensors")) {
    const auto outputs = (*loaded)->forward(call);
    EXPECT_TRUE(outputs.ok()) << (outputs.ok() ? "" : outputs.error().text);
    const HostTensor& scores = *(*outputs)[0].get<HostTensor>();
    result.insert(result.end(), scores.data<float>(), scores.data<float>() + scores.numel());
  }
  return result;
}

double error(const std::vector<float>& want, const std::vector<float>& got) {
  double sum = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    sum += (static_cast<double>(got[i]) - want[i]) * (static_cast<double>(got[i]) - want[i]);
  }
  return std::sqrt(sum / static_cast<double>(want.size()));
}

// On a story that calibration has not seen, the root mean square error of the logits lies at least
// 15 % below that of plain rounding.
TEST(LowBits, SearchBeatsPlainRoundingOnUnseenText) {
  if (!std::filesystem::exists(kModel)) {
    GTEST_SKIP() << "no corpus";
  }
  const std::vector<float> want = logits("", {});
  for (const std::string scheme : {"int4", "8da4w"}) {
    const double plain = error(want, logits(scheme, quantizer::WeightRule::kMinMax));
    const double searched = error(want, logits(scheme, quantizer::WeightRule::kMse));
    RecordProperty(scheme + "_plain", std::to_string(plain));
    RecordProperty(scheme + "_searched", std::to_string(searched));
    EXPECT_LT(searched, 0.85 * plain) << scheme;
  }
}

// Without data, the scales alone make weights closer; the last group of a row may be shorter.
TEST(LowBits, ScalesOfLeastError) {
  constexpr size_t kRows = 8, kColumns = 100;
  std::vector<float> weights(kRows * kColumns);
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::sin(static_cast<float>(i * i % 997)) * (i % 13 == 0 ? 3.0f : 1.0f);
  }
  const std::vector<double> nothing;
  for (const int bits : {8, 4, 2}) {
    const quantizer::LowBitsJob job{weights, kRows, kColumns, bits, 32, nothing};
    const quantizer::LowBits plain = round_plainly(job), searched = search_low_bits(job);
    EXPECT_EQ(plain.scales.size(), kRows * 4);
    EXPECT_GT(searched.sqnr_db, plain.sqnr_db) << bits;
  }
}

}  // namespace
}  // namespace cresset::tests
