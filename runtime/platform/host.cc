// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <chrono>
#include <cstdio>

#include "runtime/platform/platform.h"

namespace cresset::platform {

__attribute__((weak)) uint64_t now_ticks() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

__attribute__((weak)) TickRatio tick_ratio() { return {1, 1}; }

__attribute__((weak)) void log(LogLevel level, const char* text, size_t length) {
  std::fprintf(level == LogLevel::kError ? stderr : stdout, "%.*s\n", static_cast<int>(length),
               text);
}

}  // namespace cresset::platform
