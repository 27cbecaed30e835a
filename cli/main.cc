// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/verb.h"

namespace cresset::cli {
namespace {

// What --help shows: CLI11's text under our examples.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(34); }
};

int run(int argc, char** argv) {
  CLI::App app("Compiles torch.export models ahead of time and runs them anywhere.", "cresset");
  app.set_version_flag("--version", "cresset " CRESSET_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      "`cresset COMMAND --help` explains a command, with examples.\n"
      "Exit status: 0 done, 1 it failed, 2 wrong usage.");
  const std::vector<Verb> verbs = all_verbs();
  std::vector<std::function<int()>> runs;
  for (const Verb& verb : verbs) {
    CLI::App* const options = app.add_subcommand(verb.name, verb.summary);
    options->footer(std::string("Examples:\n") + verb.examples);
    runs.push_back(verb.add(*options));
  }
  const bool known = argc < 2 || argv[1][0] == '-' ||
                     std::any_of(verbs.begin(), verbs.end(),
                                 [&](const Verb& v) { return std::string(v.name) == argv[1]; });
  if (!known) {
    return wrong_usage(fmt::format("unknown command '{}' (see cresset --help)", argv[1]));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    const auto used = app.get_subcommands();
    return wrong_usage(fmt::format("{} (see cresset{} --help)", e.what(),
                                   used.empty() ? "" : " " + used[0]->get_name()));
  }
  for (size_t i = 0; i < verbs.size(); ++i) {
    if (app.got_subcommand(verbs[i].name)) {
      return runs[i]();
    }
  }
  return kWrongUsage;
}

}  // namespace
}  // namespace cresset::cli

int main(int argc, char** argv) {
  try {
    const int status = cresset::cli::run(argc, argv);
    if (std::fflush(stdout) != 0 && status == cresset::cli::kDone) {
      return cresset::cli::fail("cannot write to standard output");
    }
    return status;
  } catch (const std::bad_alloc&) {
    return cresset::cli::fail("not enough memory");
  } catch (const std::exception& e) {
    return cresset::cli::fail(e.what());
  }
}
