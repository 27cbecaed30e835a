// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <thread>

#include "compiler/pipeline.h"
#include "extensions/data/cases.h"
#include "extensions/session/check_case.h"
#include "extensions/session/session.h"
#include "kernels/registry.h"
#include "tests/forked/forked.h"
#include "tests/models/find_programs.h"

// Every program of the corpus: compile, run, compare.
namespace cresset::tests {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::string target = "host";
  std::string emit;
  size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  unsigned seconds = 120;
  bool verbose = false;
};

// With the second where the first only announces it.
std::string first_line(const std::string& text) {
  const size_t end = text.find('\n');
  if (end == std::string::npos || end == 0 || text[end - 1] != ':') {
    return text.substr(0, end);
  }
  const size_t start = std::min(text.find_first_not_of(" \n", end), text.size());
  return text.substr(0, end) + " " + text.substr(start, text.find('\n', start) - start);
}

// Keeps the program under its name, slashes included; returns what is wrong.
std::string keep(const Options& options, const std::string& name, Span<const uint8_t> program) {
  const std::filesystem::path path = std::filesystem::path(options.emit) / (name + ".pte");
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  return data::write_file(path.string(), {program}).text;
}

// What is wrong with the program: the stage and the first line of the reason; empty: nothing.
std::string sweep_program(const Options& options, const SweepProgram& program) {
  const auto cases = data::read_program_cases(program.cases);
  if (!cases.ok()) {
    return "cases: " + first_line(cases.error().text);
  }
  const bool must_fail = std::all_of(cases->begin(), cases->end(),
                                     [](const data::ProgramCase& c) { return c.expect.error; });
  SessionOptions session_options;
  session_options.threads = 1;
  session_options.compile.target = options.target;
  const auto session = Session::open(program.methods, session_options);
  if (!session.ok()) {
    return must_fail ? "" : "compile: " + first_line(session.error().text);
  }
  if (!options.emit.empty()) {
    if (std::string why = keep(options, program.name, (*session)->program_bytes()); !why.empty()) {
      return "emit: " + why;
    }
  }
  for (size_t i = 0; i < cases->size(); ++i) {
    const std::string why = check_case((*session)->module(), (*cases)[i], Reference::kModel);
    if (!why.empty()) {
      return fmt::format("case {}: {}", i, first_line(why));
    }
  }
  return "";
}

int run(const Options& options) {
  const std::vector<SweepProgram> programs = find_programs(options.paths);
  size_t passed = 0;
  size_t failed = 0;
  run_forked(
      programs.size(), {options.jobs, options.seconds, false},
      [&](size_t item, size_t, Reporter& reporter) {
        const SweepProgram& program = programs[item];
        reporter.begin(program.name);
        std::string why;
        try {
          why = sweep_program(options, program);
        } catch (const std::exception& e) {
          why = std::string("exception: ") + e.what();
        }
        if (why.empty()) {
          reporter.pass();
        } else {
          reporter.fail(program.name + ": " + why);
        }
      },
      [&](size_t item, const Outcome& outcome) {
        for (const std::string& line : outcome.failures) {
          fmt::print("{}\n", line);
        }
        if (options.verbose && outcome.failed == 0) {
          fmt::print("{}: passed\n", programs[item].name);
        }
        std::fflush(stdout);
        passed += outcome.failed == 0 ? 1 : 0;
        failed += outcome.failed == 0 ? 0 : 1;
      });
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cresset::tests

int main(int argc, char** argv) {
  cresset::tests::Options options;
  CLI::App app("Compiles, runs and compares every *.pt2 with its case file.", "sweep");
  app.add_option("paths", options.paths, ".pt2 files, or folders of them")
      ->required()
      ->check(CLI::ExistingPath);
  app.add_option("--target", options.target, "Compile for this target");
  app.add_option("--emit", options.emit, "Keep the programs in this folder, by their names");
  app.add_option("--jobs", options.jobs, "Processes at a time")->check(CLI::Range(1, 256));
  app.add_option("--seconds", options.seconds, "What one program may take")
      ->check(CLI::Range(1, 86400));
  app.add_flag("-v,--verbose", options.verbose, "Also name the programs that pass");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  return cresset::tests::run(options);
}
