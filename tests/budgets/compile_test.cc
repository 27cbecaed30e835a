// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

// What compiling itself may cost.
namespace cresset::tests {
namespace {

namespace fs = std::filesystem;

// The whole output of a command that succeeds.
std::string output_of(const std::string& command) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  std::string text;
  char buffer[256];
  while (std::fgets(buffer, sizeof(buffer), pipe) != nullptr) {
    text += buffer;
  }
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return text;
}

TEST(CompileBudget, MemoryStaysWithinThreeTimesTheFile) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  const char* corpus = std::getenv("CRESSET_CORPUS");
  const fs::path models = fs::path(corpus != nullptr ? corpus : CRESSET_CORPUS_DIR) / "models";
  const fs::path model = models / "efficientnet_lite0_imagenet/model.pt2";  // real, and packed
  const fs::path out =
      fs::temp_directory_path() / ("cresset_budget_" + std::to_string(::getpid()) + ".pte");
  const std::string peak = output_of(std::string(CRESSET_PEAK_MEMORY) + " " + CRESSET_PROGRAM +
                                     " compile -q " + model.string() + " -o " + out.string());
  EXPECT_TRUE(fs::remove(out));
  ASSERT_FALSE(peak.empty());
  EXPECT_LE(std::stoull(peak), 3 * fs::file_size(model));
}

}  // namespace
}  // namespace cresset::tests
