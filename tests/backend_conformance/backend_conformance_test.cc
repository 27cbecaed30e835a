// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/backend_conformance/faulty_backends.h"
#include "tests/backend_conformance/kit.h"

// The kit on the example backend as it is, and with one fault at a time.
namespace cresset::tests {
namespace {

struct Row {
  Fault fault;
  const char* op;    // operators to try; the fault shows in each or one of them
  const char* text;  // what a line of the kit must say
};

constexpr Row kRows[] = {
    {Fault::kIgnoresAlpha, "add_tensor", "alpha"},
    {Fault::kIgnoresBias, "linear", "elements differ"},
    {Fault::kIgnoresUpperLimit, "clamp", "max"},
    {Fault::kIgnoresPadding, "conv2d", "padding"},
    {Fault::kIgnoresStride, "conv2d", "stride"},
    {Fault::kSwapsOperands, "sub_tensor", "elements differ"},
    {Fault::kIgnoresDilation, "conv2d", "dilation"},
    {Fault::kIgnoresMemoryOrder, "mul_tensor", "other memory order"},
    {Fault::kMisreadsDtype, "relu", "i32"},
    {Fault::kWrongBroadcast, "mul_tensor", "elements differ"},
    {Fault::kStaleOutput, "relu", "call 1"},
    {Fault::kKeepsLargestSize, "relu", "varies"},
    {Fault::kSharesState, "relu", "beside another program"},
    {Fault::kNotThreadSafe, "linear", "two threads"},
    {Fault::kLeaks, "relu", "heap blocks left behind"},
    {Fault::kTakesHeapMemory, "relu", "takes memory from the heap"},
    {Fault::kWritesBehindArena, "relu", "memory behind"},
    {Fault::kArenaNeedTooLow, "relu", "arena"},
    {Fault::kTakesOtherVersions, "relu", "altered: accepted"},
    {Fault::kTakesDamagedBlobs, "relu", "blob cut to"},
    {Fault::kTakesWrongShapes, "relu", "one argument less: accepted"},
    {Fault::kWritesBeforeFailing, "relu", "an output was written"},
};

KitOptions options(const char* op) {
  const char* const corpus = std::getenv("CRESSET_CORPUS");
  KitOptions result;
  result.ops = std::string(corpus == nullptr ? CRESSET_CORPUS_DIR : corpus) + "/ops";
  result.pattern = op;
  result.jobs = 1;
  return result;
}

class Corpus : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(options("").ops)) {
      GTEST_SKIP() << "no corpus: tools/unpack_corpus";
    }
  }
};

class Kit : public Corpus, public testing::WithParamInterface<Row> {};

TEST_P(Kit, FlagsTheFault) {
  const Row& row = GetParam();
  const FaultyCompiler compiler(row.fault);
  FaultyRuntime runtime(row.fault);
  std::string lines;
  const KitResult faulty = run_kit({&compiler, &runtime}, options(row.op),
                                   [&](const std::string& line) { lines += line + "\n"; });
  EXPECT_GT(faulty.failed, 0u);
  EXPECT_GT(faulty.passed, 0u);
  EXPECT_NE(lines.find(row.text), std::string::npos) << row.text << " is not in\n" << lines;
}

INSTANTIATE_TEST_SUITE_P(Faults, Kit, testing::ValuesIn(kRows), [](const auto& row) {
  std::string name = fault_name(row.param.fault);
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name;
});

// The wrapping is none of the faults.
TEST_F(Corpus, SoundCopyPasses) {
  const FaultyCompiler compiler(Fault::kNone);
  FaultyRuntime runtime(Fault::kNone);
  const KitResult sound = run_kit({&compiler, &runtime}, options("relu"),
                                  [](const std::string& line) { ADD_FAILURE() << line; });
  EXPECT_EQ(sound.failed, 0u);
  EXPECT_GT(sound.passed, 50u);
}

}  // namespace
}  // namespace cresset::tests
