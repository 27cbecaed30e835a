// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace cresset {

// Called when a CRESSET_CHECK fails: a programmer's error, never bad input. Weak: a board may
// replace it; the default stops the program without output. Must not return.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace cresset

// Stops the program unless `condition` holds; in every build mode.
#define CRESSET_CHECK(condition)                               \
  do {                                                         \
    if (!(condition)) {                                        \
      ::cresset::check_failed(#condition, __FILE__, __LINE__); \
    }                                                          \
  } while (false)
