// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <algorithm>

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
  const std::string& method = options.program.method;
  const auto wanted = [&](const data::ProgramCase& c) {
    return method.empty() || c.method == method;
  };
  const auto session = open_program(options.program, nullptr);
  if (!session.ok()) {
    return fail(session.error());
  }
  // A program of ours and the model that it was compiled from are held to the same results.
  const Reference reference =
      (*session)->compiled() != nullptr ? Reference::kModel : Reference::kProgram;
  const auto count = static_cast<size_t>(std::count_if(cases->begin(), cases->end(), wanted));
  if (count == 0 && !method.empty()) {
    return fail(fmt::format("{}: no case for method '{}'", options.cases, method));
  }
  size_t failed = 0;
  Json failures = Json::array();
  for (size_t i = 0; i < cases->size(); ++i) {
    if (!wanted((*cases)[i])) {
      continue;
    }
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
                           .set("passed", static_cast<uint64_t>(count - failed))
                           .set("failed", static_cast<uint64_t>(failed))
                           .set("failures", std::move(failures))
                           .text());
  } else {
    fmt::print("{} passed, {} failed\n", count - failed, failed);
  }
  return failed == 0 ? kDone : kFailed;
}

const VerbRegistration kVerify(
    {"verify", "Run a case file and compare with its results",
     "  cresset verify model.pte --cases io.safetensors\n"
     "  cresset verify model.pt2 --cases io.safetensors -v",
     30, [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<Options>();
       options->program.method.clear();
       add_program_flags(app, &options->program);
       app.get_option("--method")->description("Only the cases of this method");
       add_output_flags(app, &options->output);
       app.add_option("--cases", options->cases, "The cases, run in order")
           ->required()
           ->type_name("FILE.safetensors");
       return [options] { return run(*options); };
     }});

}  // namespace
}  // namespace cresset::cli
