// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include "cli/flags.h"
#include "cli/json.h"
#include "cli/verb.h"
#include "extensions/data/cases.h"
#include "extensions/session/check_case.h"

namespace cresset::cli {
namespace {

struct Options {
  ProgramFlags program;
  OutputFlags output;
  std::string cases;
};

int run(const Options& options) {
  const auto cases = data::read_program_cases(options.cases);
  if (!cases.ok()) {
    return fail(cases.error());
  }
  ProgramFlags flags = options.program;
  if (!cases->empty()) {
    flags.method = (*cases)[0].method;
  }
  const auto session = open_program(flags, nullptr);
  if (!session.ok()) {
    return fail(session.error());
  }
  // A program of ours and the model that it was compiled from are held to the same results.
  const Reference reference =
      (*session)->compiled() != nullptr ? Reference::kModel : Reference::kProgram;
  size_t failed = 0;
  Json failures = Json::array();
  for (size_t i = 0; i < cases->size(); ++i) {
    const std::string why = check_case((*session)->module(), (*cases)[i], reference);
    if (!why.empty()) {
      ++failed;
    }
    if (!why.empty() && options.output.json) {
      failures.push(Json::object().set("case", static_cast<uint64_t>(i)).set("reason", why));
    } else if (!why.empty()) {
      fmt::print("case {}: {}\n", i, why);
    } else if (options.output.verbose && !options.output.json) {
      fmt::print("case {}: passed\n", i);
    }
  }
  if (options.output.json) {
    fmt::print("{}\n", Json::object()
                           .set("passed", static_cast<uint64_t>(cases->size() - failed))
                           .set("failed", static_cast<uint64_t>(failed))
                           .set("failures", std::move(failures))
                           .text());
  } else {
    fmt::print("{} passed, {} failed\n", cases->size() - failed, failed);
  }
  return failed == 0 ? kDone : kFailed;
}

const VerbRegistration kVerify({"verify", "Run a case file and compare with its results",
                                "  cresset verify model.pte --cases io.safetensors\n"
                                "  cresset verify model.pt2 --cases io.safetensors -v",
                                30, [](CLI::App& app) -> std::function<int()> {
                                  auto options = std::make_shared<Options>();
                                  add_program_flags(app, &options->program);
                                  add_output_flags(app, &options->output);
                                  app.add_option("--cases", options->cases,
                                                 "The cases, run in order")
                                      ->required()
                                      ->type_name("FILE.safetensors");
                                  return [options] { return run(*options); };
                                }});

}  // namespace
}  // namespace cresset::cli
