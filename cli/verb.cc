// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/verb.h"

#include <fmt/core.h>

#include <algorithm>

namespace cresset::cli {
namespace {

std::vector<Verb>& registered() {
  static std::vector<Verb> verbs;
  return verbs;
}

}  // namespace

VerbRegistration::VerbRegistration(Verb verb) { registered().push_back(verb); }

std::vector<Verb> all_verbs() {
  std::vector<Verb> verbs = registered();
  std::sort(verbs.begin(), verbs.end(),
            [](const Verb& a, const Verb& b) { return a.place < b.place; });
  return verbs;
}

int fail(const std::string& text) {
  std::fflush(stdout);
  fmt::print(stderr, "cresset: error: {}\n", text);
  return kFailed;
}

int wrong_usage(const std::string& text) {
  (void)fail(text);
  return kWrongUsage;
}

}  // namespace cresset::cli
