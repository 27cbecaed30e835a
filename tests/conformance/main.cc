// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "extensions/data/cases.h"
#include "kernels/registry.h"
#include "tests/conformance/run_case.h"
#include "tests/conformance/run_graph.h"
#include "tests/forked/forked.h"

// Runs operator cases on a kernel library: rows straight, other operators as the compiler does.
namespace cresset::tests {
namespace {

namespace fs = std::filesystem;

template <ops::KernelTable (*kernels)()>
ops::KernelTables only() {
  static const ops::KernelTable table = kernels();
  return {&table, 1};
}

struct Library {
  const char* name;
  ops::KernelTables (*kernels)();
};
// `host`: all that a host searches.
constexpr Library kLibraries[] = {{"host", kernels::host_kernels},
                                  {"portable", only<kernels::portable_kernels>},
                                  {"numerics", only<kernels::numerics_kernels>}};

struct Options {
  std::vector<std::string> paths;
  std::string library = "host";
  std::string op;
  bool table = false;
  size_t laps = 1;
  size_t jobs = 2;
};

std::string stem(const std::string& path) { return fs::path(path).stem().string(); }

bool matches(const std::string& pattern, const std::string& name) {
  return pattern.empty() || name.find(pattern) != std::string::npos ||
         fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<std::string> find_files(const Options& options) {
  std::vector<std::string> files;
  for (const std::string& path : options.paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".safetensors") {
        files.push_back(entry.path().string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  std::erase_if(files, [&](const std::string& f) { return !matches(options.op, stem(f)); });
  return files;
}

// What computes the subject itself; null: others do, after decomposition.
const ops::Kernel* kernel_of(const CaseSubject& subject, ops::KernelTables tables) {
  return subject.op == nullptr || subject.op->composite || subject.in_place
             ? nullptr
             : ops::find_kernel(tables, std::string(subject.op->name).c_str(),
                                std::string(subject.op->out).c_str());
}

void run_file(const std::string& path, ops::KernelTables tables, size_t first_case, size_t laps,
              Reporter& reporter) {
  const std::string name = stem(path);
  const auto cases = data::read_operator_cases(path);
  if (!cases.ok()) {
    reporter.begin(name);
    return reporter.fail(cases.error().text);
  }
  const CaseSubject subject = subject_of_file(path);
  const ops::Kernel* const kernel = kernel_of(subject, tables);
  for (size_t i = first_case; i < cases->size(); ++i) {
    const std::string label = fmt::format("{}#{}", name, i);
    reporter.begin(label);
    std::string why;
    Stopwatch watch(laps);
    try {
      why = subject.op == nullptr ? "not in the operator tables"
            : kernel != nullptr
                ? run_case(*subject.op, *kernel, (*cases)[i], &watch)
                : run_as_graph(*subject.op, subject.in_place, tables, (*cases)[i], &watch);
    } catch (const std::exception& e) {
      why = e.what();
    }
    if (std::isfinite(watch.least())) {
      reporter.note(fmt::format("{}", watch.least()));
    }
    if (why.empty()) {
      reporter.pass();
    } else {
      reporter.fail(label + ": " + why);
    }
  }
}

int run(const Options& options) {
  const auto library = std::find_if(std::begin(kLibraries), std::end(kLibraries),
                                    [&](const Library& l) { return l.name == options.library; });
  if (library == std::end(kLibraries)) {
    fmt::print(stderr, "conformance: error: no kernel library '{}'\n", options.library);
    return 2;
  }
  const ops::KernelTables kernels = library->kernels();
  const std::vector<std::string> files = find_files(options);
  Outcome total;
  std::vector<std::string> table;
  run_forked(
      files.size(), {options.jobs, 20, true},
      [&](size_t item, size_t first, Reporter& reporter) {
        run_file(files[item], kernels, first, options.laps, reporter);
      },
      [&](size_t item, const Outcome& outcome) {
        for (const std::string& line : outcome.failures) {
          fmt::print("{}\n", line);
        }
        total.passed += outcome.passed;
        total.failed += outcome.failed;
        double slowest = 0;
        for (const std::string& time : outcome.notes) {
          slowest = std::max(slowest, std::stod(time));
        }
        const bool kernel = kernel_of(subject_of_file(files[item]), kernels) != nullptr;
        table.push_back(fmt::format("{:<60} {:<6} {:>6} {:>6} {:>10.1f}", stem(files[item]),
                                    kernel ? "kernel" : "graph", outcome.passed, outcome.failed,
                                    slowest));
      });
  if (options.table) {
    fmt::print("{:<60} {:<6} {:>6} {:>6} {:>10}\n", "operator", "way", "passed", "failed", "us");
    for (const std::string& line : table) {
      fmt::print("{}\n", line);
    }
  }
  fmt::print("{} passed, {} failed\n", total.passed, total.failed);
  return total.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cresset::tests

int main(int argc, char** argv) {
  cresset::tests::Options options;
  CLI::App app("Runs operator cases on a kernel library.", "conformance");
  app.add_option("paths", options.paths, "Case files, or folders of them")
      ->required()
      ->check(CLI::ExistingPath);
  app.add_option("--kernels", options.library,
                 "Which kernel library: host (all), portable, numerics");
  app.add_option("--op", options.op, "Only operators whose name contains or matches this");
  app.add_flag(
      "--table", options.table,
      "Also print a table, one row an operator, with the processor time of its slowest case");
  app.add_option("--laps", options.laps, "Calls of each case; the fastest one's time counts")
      ->check(CLI::Range(1, 1000));
  app.add_option("--jobs", options.jobs, "Processes at a time")->check(CLI::Range(1, 256));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  return cresset::tests::run(options);
}
