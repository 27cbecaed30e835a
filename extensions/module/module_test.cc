// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/module/module.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "extensions/data/cases.h"
#include "extensions/data/compare.h"
#include "extensions/module/fixed_module.h"
#include "kernels/registry.h"

// Programs that ExecuTorch wrote, run with the portable kernels against PyTorch's results.

namespace cresset {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  const char* variable = std::getenv("CRESSET_CORPUS");
  return fs::path(variable != nullptr ? variable : CRESSET_CORPUS_DIR) / "executorch";
}

ModuleOptions portable() {
  ModuleOptions options;
  options.kernels = {kernels::portable_kernels()};
  return options;
}

ModuleOptions options_for(const fs::path& folder) {
  ModuleOptions options = portable();
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".ptd") {
      options.data_files.push_back(entry.path().string());
    }
  }
  return options;
}

// Why a case fails; empty where it passes.
std::string run_case(Module& module, const data::ProgramCase& c) {
  const auto outputs = module.run(c.method, c.inputs);
  if (c.expect.error) {
    return outputs.ok() ? "was not refused: " + c.expect.why : "";
  }
  if (!outputs.ok()) {
    return outputs.error().text;
  }
  if (outputs->size() != c.outputs.size()) {
    return std::to_string(outputs->size()) + " outputs";
  }
  for (size_t i = 0; i < outputs->size(); ++i) {
    const auto difference = c.expect.random
                                ? data::shape_mismatch((*outputs)[i], c.outputs[i])
                                : data::mismatch((*outputs)[i], c.outputs[i], c.expect.tolerance);
    if (difference) {
      return "output " + std::to_string(i) + ": " + *difference;
    }
  }
  for (const auto& [index, want] : c.mutated) {
    const auto difference =
        data::mismatch(module.input_after(c.method, index), want, c.expect.tolerance);
    if (difference) {
      return "input " + std::to_string(index) + " afterwards: " + *difference;
    }
  }
  return "";
}

// The first failure of a program's cases; empty where all pass.
std::string run_folder(const fs::path& folder) {
  const auto module = Module::load((folder / "model.pte").string(), options_for(folder));
  if (!module.ok()) {
    return module.error().text;
  }
  const auto cases = data::read_program_cases((folder / "io.safetensors").string());
  if (!cases.ok()) {
    return cases.error().text;
  }
  for (size_t i = 0; i < cases->size(); ++i) {
    const std::string failure = run_case(**module, (*cases)[i]);
    if (!failure.empty()) {
      return "case " + std::to_string(i) + ": " + failure;
    }
  }
  return "";
}

TEST(Module, RunsWhatExecuTorchWrote) {
  std::set<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(corpus())) {
    if (entry.path().filename().string().substr(0, 2) == "p_") {
      folders.insert(entry.path());
    }
  }
  size_t passed = 0;
  for (const fs::path& folder : folders) {
    const std::string failure = run_folder(folder);
    passed += failure.empty();
    if (!failure.empty()) {
      std::cout << folder.filename().string() << ": " << failure << "\n";
    }
  }
  std::cout << passed << " of " << folders.size() << " passed\n";
  EXPECT_GE(passed, 40u);
}

}  // namespace
}  // namespace cresset
