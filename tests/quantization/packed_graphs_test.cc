// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "compiler/frontend/import.h"
#include "compiler/pipeline.h"
#include "extensions/data/cases.h"
#include "extensions/data/compare.h"
#include "extensions/module/module.h"
#include "kernels/registry.h"

// Weight-only and dynamically quantized graphs that PT2E, ExecuTorch and torchao wrote: every
// quantized operator becomes a row, and the results are the stated ones.
namespace cresset::tests {
namespace {

using Counts = std::map<std::string, size_t>;

struct Graph {
  const char* name;
  Counts rows;
};

const Graph kGraphs[] = {
    {"ao_8da4w", {{"qlinear_dynamic", 6}}},
    {"ao_8da4w_unwrapped", {{"qlinear_dynamic", 2}}},
    {"ao_embedding_int8", {{"qembedding", 1}, {"qlinear_weight", 1}}},
    {"ao_int4wo", {{"qlinear_weight", 2}}},
    {"ao_int8dyn", {{"qlinear_dynamic", 2}}},
    {"ao_int8wo", {{"qlinear_weight", 2}}},
    {"q_8da4w_portable", {{"qlinear_dynamic", 2}}},
    {"q_embedding_2bit", {{"qembedding", 1}}},
    {"q_embedding_4bit", {{"qembedding", 1}}},
    {"q_embedding_byte", {{"qembedding", 1}}},
    {"q_embedding_torchao", {{"qembedding", 1}}},
    {"q_linear_dynamic", {{"qlinear_dynamic", 2}}},
    {"x_4w_weight_only", {{"qlinear_weight", 2}}},
    {"x_8da4w", {{"qlinear_dynamic", 2}}},
    {"x_8da4w_unwrapped", {{"qlinear_dynamic", 2}}},
    {"x_int8_dynamic", {{"qlinear_dynamic", 2}}},
};

class PackedGraph : public testing::TestWithParam<Graph> {};

TEST_P(PackedGraph, BecomesRowsWithTheStatedResults) {
  const std::string folder = std::string(CRESSET_CORPUS_DIR "/executorch/") + GetParam().name;
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "no corpus";
  }
  const auto imported = frontend::import_program(folder + "/model.pt2");
  ASSERT_TRUE(imported.ok()) << imported.error().text;
  compiler::CompileOptions options;
  options.kernels = kernels::host_kernels();
  auto compiled = compiler::compile(std::vector{imported->graph}, options);
  ASSERT_TRUE(compiled.ok()) << compiled.error().text;
  Counts rows;
  for (const ir::Step& step : compiled->methods[0].steps) {
    const std::string name(step.info == nullptr ? "" : step.info->name);
    EXPECT_EQ(name.find("quantized_decomposed"), std::string::npos) << name;
    if (name.starts_with("cresset::")) {
      ++rows[name.substr(9)];
    }
  }
  EXPECT_EQ(rows, GetParam().rows);
  ModuleOptions module;
  module.kernels.assign(options.kernels.begin(), options.kernels.end());
  auto loaded =
      Module::from_bytes(data::FileBytes::own(std::move(compiled->program)), folder, module);
  ASSERT_TRUE(loaded.ok()) << loaded.error().text;
  const auto cases = data::read_program_cases(folder + "/io.safetensors");
  ASSERT_TRUE(cases.ok()) << cases.error().text;
  for (const data::ProgramCase& call : *cases) {
    const auto outputs = (*loaded)->forward(call.inputs);
    ASSERT_TRUE(outputs.ok()) << outputs.error().text;
    ASSERT_EQ(outputs->size(), call.outputs.size());
    for (size_t i = 0; i < outputs->size(); ++i) {
      const auto wrong = data::mismatch((*outputs)[i], call.outputs[i], call.expect.tolerance);
      EXPECT_FALSE(wrong) << *wrong;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, PackedGraph, testing::ValuesIn(kGraphs),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace cresset::tests
