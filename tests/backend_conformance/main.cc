// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>
#include <string>

#include "backends/compilers.h"
#include "backends/registry.h"
#include "tests/backend_conformance/kit.h"

int main(int argc, char** argv) {
  std::string name;
  const char* const given = std::getenv("CRESSET_CORPUS");
  std::string corpus = given == nullptr ? CRESSET_CORPUS_DIR : given;
  cresset::tests::KitOptions options;
  CLI::App app("Tries everything that a backend claims.", "backend_conformance");
  app.add_option("--backend", name, "Name of the backend (backends/backends.def)")->required();
  app.add_option("--op", options.pattern, "Only operators whose id contains this");
  app.add_option("--corpus", corpus, "The unpacked corpus (tools/unpack_corpus)");
  app.add_option("--jobs", options.jobs, "Processes at a time")->check(CLI::Range(1, 256));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  const auto found = cresset::backends::find_compilers(name);
  if (!found.ok() || found->size() != 1) {
    fmt::print(stderr, "backend_conformance: error: {}\n",
               found.ok() ? "--backend takes one backend" : found.error().text);
    return 2;
  }
  cresset::tests::Subject subject = {found->at(0), nullptr};
  for (cresset::Backend* backend : cresset::backends::enabled()) {
    if (subject.compiler->id() == backend->id()) {
      subject.runtime = backend;
    }
  }
  if (subject.runtime == nullptr) {
    fmt::print(stderr, "backend_conformance: error: no runtime half has the id '{}'\n",
               subject.compiler->id());
    return 2;
  }
  options.ops = corpus + "/ops";
  const auto result = cresset::tests::run_kit(
      subject, options, [](const std::string& line) { fmt::print("{}\n", line); });
  if (result.passed + result.failed == 0) {
    fmt::print(
        stderr,
        "backend_conformance: error: nothing to try: '{}' claims no operator with cases whose "
        "id contains '{}'\n",
        name, options.pattern);
    return 2;
  }
  fmt::print("{} passed, {} failed\n", result.passed, result.failed);
  return result.failed == 0 ? 0 : 1;
}
