// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "extensions/data/cases.h"
#include "extensions/session/check_case.h"
#include "extensions/session/session.h"
#include "kernels/registry.h"
#include "ops/op.h"

// Graphs that PyTorch has quantized (quantized.txt) become integer rows, and give what it gives.
namespace cresset::tests {
namespace {

struct ForeignGraph {
  std::string name;
  size_t integer_rows = 0, stays_float = 0;
};

std::vector<ForeignGraph> foreign_graphs() {
  std::ifstream in(CRESSET_SOURCE_DIR "/tests/models/quantized.txt");
  std::vector<ForeignGraph> graphs;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    ForeignGraph graph;
    std::istringstream(line) >> graph.name >> graph.integer_rows >> graph.stays_float;
    graphs.push_back(graph);
  }
  return graphs;
}

std::string folder() {
  const char* corpus = std::getenv("CRESSET_CORPUS");
  return std::string(corpus != nullptr ? corpus : CRESSET_CORPUS_DIR) + "/executorch/";
}

class Foreign : public testing::TestWithParam<ForeignGraph> {
 protected:
  void SetUp() override {
    if (!std::ifstream(folder() + "INDEX.tsv")) {
      GTEST_SKIP() << "no corpus in " << folder();
    }
  }

  std::string model() const { return folder() + GetParam().name + "/model.pt2"; }

  compiler::CompileOptions options() const {
    compiler::CompileOptions result;
    result.kernels = kernels::host_kernels();
    result.verify = true;
    return result;
  }

  // Every output is allowed one step of its last quantizer, besides what the case allows.
  void run_cases(compiler::CompileOptions compile) {
    double step = 0;
    compile.after_stage = [&](const std::string&, const ir::Graph& graph) {
      for (const ir::Argument& output : graph.outputs) {
        const ir::Node* last = output.is_value() ? output.value()->producer() : nullptr;
        if (last != nullptr && last->op() == ops::Op::qd_dequantize_per_tensor) {
          step = last->arg("scale").number();
        }
      }
    };
    SessionOptions session;
    session.threads = 1;
    session.compile = compile;
    const auto opened = Session::open({{"forward", model()}}, session);
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    auto cases = data::read_program_cases(folder() + GetParam().name + "/io.safetensors");
    ASSERT_TRUE(cases.ok()) << cases.error().text;
    ASSERT_FALSE(cases->empty());
    for (data::ProgramCase& c : *cases) {
      c.expect.tolerance.atol = std::max(c.expect.tolerance.atol, step * 1.001);
      EXPECT_EQ(check_case((*opened)->module(), c, Reference::kModel), "");
    }
  }
};

TEST_P(Foreign, BecomesIntegerRows) {
  compiler::CompileOptions compile = options();
  compile.stop_after = "fuse_integer_ops";
  size_t integer_rows = 0;
  compile.after_stage = [&](const std::string& stage, const ir::Graph& graph) {
    for (const auto& node : graph.nodes()) {
      integer_rows += stage == compile.stop_after && node->info().name.starts_with("cresset::q");
    }
  };
  const auto compiled = compiler::compile({{"forward", model()}}, compile);
  ASSERT_TRUE(compiled.ok()) << compiled.error().text;
  std::string floats;
  for (const compiler::FloatNode& node : compiled->stays_float) {
    floats += node.node + ": " + node.why + "\n";
  }
  EXPECT_EQ(integer_rows, GetParam().integer_rows);
  EXPECT_EQ(compiled->stays_float.size(), GetParam().stays_float) << floats;
}

TEST_P(Foreign, GivesWhatPyTorchGives) { run_cases(options()); }

TEST_P(Foreign, GivesTheSameInIntegersAlone) {
  for (const auto form : {ops::Requantization::kFixed, ops::Requantization::kNarrow}) {
    compiler::CompileOptions compile = options();
    compile.requantization = form;
    run_cases(compile);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Foreign, testing::ValuesIn(foreign_graphs()),
                         [](const auto& graph) { return graph.param.name; });

}  // namespace
}  // namespace cresset::tests
