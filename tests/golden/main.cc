// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "tests/golden/run_golden.h"

namespace cresset::tests {
namespace {

struct Counts {
  size_t passed = 0;
  size_t failed = 0;
  size_t updated = 0;
  size_t computed = 0;
};

// False where the file cannot be read or written.
bool run_file(const std::string& path, const std::string& only, bool update, Counts* counts) {
  const ir::Expected<GoldenFile> file = read_golden_file(path);
  if (!file.ok()) {
    fmt::print("{}\n", file.error().text);
    return false;
  }
  std::vector<std::string> expectations(file->cases.size());
  bool changed = false;
  for (size_t k = 0; k < file->cases.size(); ++k) {
    const GoldenCase& golden = file->cases[k];
    if (golden.name.find(only) == std::string::npos) {
      continue;
    }
    const GoldenOutcome outcome = run_golden_case(golden);
    counts->computed += outcome.computed;
    if (outcome.fault.empty()) {
      ++counts->passed;
    } else if (update && !outcome.actual.empty()) {
      expectations[k] = outcome.actual;
      changed = true;
      ++counts->updated;
    } else {
      ++counts->failed;
      fmt::print("{}:{}: case '{}': {}\n", path, golden.line, golden.name, outcome.fault);
    }
  }
  if (changed) {
    if (ir::Error e = update_golden_file(*file, expectations)) {
      fmt::print("{}\n", e.text);
      return false;
    }
  }
  return true;
}

int run(int argc, char** argv) {
  CLI::App app{"Runs the golden tests of passes: compiler/passes/*.test."};
  std::vector<std::string> files;
  std::string only;
  bool update = false;
  app.add_option("files", files, "Golden files; all of compiler/passes where none is given");
  app.add_option("--case", only, "Only cases with this in their name");
  app.add_flag("--update", update, "Write what the passes give now as the new expectations");
  CLI11_PARSE(app, argc, argv);
  if (files.empty()) {
    for (const auto& entry :
         std::filesystem::directory_iterator(CRESSET_SOURCE_DIR "/compiler/passes")) {
      if (entry.path().extension() == ".test") {
        files.push_back(entry.path().string());
      }
    }
    std::sort(files.begin(), files.end());
  }
  Counts counts;
  bool good = !files.empty();
  for (const std::string& file : files) {
    good = run_file(file, only, update, &counts) && good;
  }
  fmt::print("{} passed, {} failed, {} updated; {} computed before and after\n", counts.passed,
             counts.failed, counts.updated, counts.computed);
  return good && counts.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cresset::tests

int main(int argc, char** argv) { return cresset::tests::run(argc, argv); }
