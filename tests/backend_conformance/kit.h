// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

#include "tests/backend_conformance/trial.h"

namespace cresset::tests {

struct KitOptions {
  std::string ops;      // folder of operator cases
  std::string pattern;  // only operators whose id contains it; empty: all
  size_t jobs = 2;
};

struct KitResult {
  size_t passed = 0;
  size_t failed = 0;
};

// Tries everything that the backend's table claims, and some of what it does not. `line` gets a
// text for each failure. Operators are tried in processes of their own: a crash is one failure.
KitResult run_kit(const Subject& subject, const KitOptions& options,
                  const std::function<void(const std::string&)>& line);

}  // namespace cresset::tests
