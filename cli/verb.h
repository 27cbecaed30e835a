// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "core/error.h"

namespace cresset::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;

// A command of the program. A file that defines one and a VerbRegistration for it is all that a new
// command needs.
struct Verb {
  const char* name;
  const char* summary;   // one line
  const char* examples;  // lines that a user can type, for --help
  int place;             // in the list of commands, ascending
  // Adds the command's options; what it returns does the work and gives the exit status.
  std::function<int()> (*add)(CLI::App& options);
};

class VerbRegistration {
 public:
  explicit VerbRegistration(Verb verb);
};

// All that registered, by place.
std::vector<Verb> all_verbs();

// Prints `cresset: error: TEXT` to standard error and returns kFailed.
int fail(const std::string& text);
inline int fail(const Error& error) { return fail(error.text); }
// The same for wrong usage.
int wrong_usage(const std::string& text);

}  // namespace cresset::cli
