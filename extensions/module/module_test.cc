// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/module/module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "extensions/data/cases.h"
#include "extensions/data/compare.h"
#include "extensions/module/fixed_module.h"
#include "extensions/module/shared_state.h"
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
    if (entry.path().filename().string().substr(0, 2) == "p_" &&
        fs::exists(entry.path() / "model.pte")) {
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

// The inputs that the good file beside a damaged one is run with.
Expected<std::vector<data::ProgramCase>> cases_of(const std::string& folder) {
  return data::read_program_cases((corpus() / folder / "io.safetensors").string());
}

TEST(Module, RefusesDamagedFilesAtSomePoint) {
  std::ifstream index(corpus() / "damaged" / "INDEX.tsv");
  std::string line;
  std::getline(index, line);
  size_t count = 0;
  while (std::getline(index, line)) {
    const std::string name = line.substr(0, line.find('\t'));
    const std::string rest = line.substr(name.size() + 1);
    const std::string origin = rest.substr(0, rest.find('\t'));
    SCOPED_TRACE(name);
    ModuleOptions options = portable();
    fs::path program = corpus() / "damaged" / name;
    if (program.extension() == ".ptd") {
      options.data_files = {program.string()};
      program = corpus() / origin / "model.pte";
    }
    ++count;
    const auto module = Module::load(program.string(), options);
    if (!module.ok()) {
      EXPECT_FALSE(module.error().text.empty());
      continue;
    }
    const auto cases = cases_of(origin);
    ASSERT_TRUE(cases.ok());
    // p_cond's first case takes the branch that does not loop: try all.
    bool refused = false;
    for (const data::ProgramCase& c : *cases) {
      const auto outputs = (*module)->run(c.method, c.inputs);
      refused = refused || !outputs.ok();
      EXPECT_TRUE(outputs.ok() || !outputs.error().text.empty());
    }
    EXPECT_TRUE(refused);
  }
  EXPECT_GE(count, 32u);
}

TEST(Module, SurvivesEveryByte) {
  const fs::path path = corpus() / "p_mlp_relu" / "model.pte";
  const auto file = data::FileBytes::open(path.string());
  ASSERT_TRUE(file.ok());
  const std::string good(file->bytes().begin(), file->bytes().end());
  const auto cases = cases_of("p_mlp_relu");
  ASSERT_TRUE(cases.ok());
  const data::ProgramCase& c = (*cases)[0];
  size_t ran = 0;
  size_t refused = 0;
  const auto attempt = [&](std::string bytes) {
    ModuleOptions options = portable();
    options.max_instructions = 10000;
    const auto module = Module::from_bytes(data::FileBytes::own(std::move(bytes)), "x", options);
    const bool good_run = module.ok() && (*module)->run(c.method, c.inputs).ok();
    ++(good_run ? ran : refused);
  };
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char other : {char(0), char(0xff), char(good[i] ^ 0x80)}) {
      if (good[i] != other) {
        std::string bad = good;
        bad[i] = other;
        attempt(std::move(bad));
      }
    }
  }
  for (size_t size = 0; size < good.size(); size += 7) {
    attempt(good.substr(0, size));
  }
  EXPECT_GT(ran, good.size() / 10) << "weights, padding and names may change";
  EXPECT_GT(refused, good.size() / 10);
}

TEST(FixedModule, RunsInExactlyTheMemoryItNames) {
  const fs::path folder = corpus() / "p_mlp_relu";
  const auto file = data::FileBytes::open((folder / "model.pte").string());
  const auto cases = cases_of("p_mlp_relu");
  ASSERT_TRUE(file.ok() && cases.ok());
  const ops::KernelTable tables[] = {kernels::portable_kernels()};
  MethodOptions options;
  options.kernels = tables;

  FixedModule probe;
  EXPECT_EQ(probe.load(file->bytes(), {}, options), Status::kMemoryAllocationFailed);
  const size_t needed = probe.memory_needed();
  ASSERT_GT(needed, 0u);
  EXPECT_NE(std::string(probe.error()).find("needs " + std::to_string(needed) + " bytes"),
            std::string::npos);

  Block memory = allocate_block(needed);
  FixedModule small;
  EXPECT_EQ(small.load(file->bytes(), {memory.get(), needed - 16}, options),
            Status::kMemoryAllocationFailed);

  FixedModule module;
  ASSERT_EQ(module.load(file->bytes(), {memory.get(), needed}, options), Status::kOk)
      << module.error();
  EXPECT_EQ(module.memory_needed(), needed);
  data::HostTensor input = *(*cases)[0].inputs[0].get<data::HostTensor>();
  ASSERT_EQ(module.set_input(0, input.view()), Status::kOk) << module.error();
  ASSERT_EQ(module.run(), Status::kOk) << module.error();
  const data::HostValue got = {data::HostTensor::copy_of(module.output(0))};
  EXPECT_EQ(data::mismatch(got, (*cases)[0].outputs[0], (*cases)[0].expect.tolerance),
            std::nullopt);
}

TEST(FileLoader, ReadsOnlyWhatIsAskedFor) {
  const fs::path path = corpus() / "p_cond" / "model.pte";
  const auto file = data::FileBytes::open(path.string());
  const auto loader = data::FileLoader::open(path.string());
  ASSERT_TRUE(file.ok() && loader.ok());
  EXPECT_EQ((*loader)->size_bytes(), file->size());
  const auto range = (*loader)->load(64, 100);
  ASSERT_TRUE(range.ok());
  EXPECT_TRUE(std::equal(range->begin(), range->end(), file->bytes().begin() + 64));
  (*loader)->release(*range);
  EXPECT_EQ((*loader)->load(file->size(), 1).status(), Status::kInvalidArgument);
  MessageBuffer<256> message;
  Program program;
  EXPECT_EQ(program.load(**loader, message), Status::kOk) << message.text();
  EXPECT_FALSE(data::FileLoader::open("/no/such/file").ok());
}

}  // namespace
}  // namespace cresset
