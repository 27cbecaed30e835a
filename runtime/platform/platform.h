// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

// What a board or an operating system supplies to the runtime's users. Every function has a weak
// default (hosts: the C library; elsewhere: nothing), so a board defines only what it has, under
// the same name and in any of its sources. A failed CHECK calls check_failed() of core/check.h,
// which may be replaced in the same way.
namespace cresset::platform {

enum class LogLevel : uint8_t { kDebug, kInfo, kError };

// A clock that never goes back, in ticks of its own; 0 where there is none.
uint64_t now_ticks();

// Nanoseconds of a tick: numerator / denominator.
struct TickRatio {
  uint64_t numerator;
  uint64_t denominator;
};
TickRatio tick_ratio();

// Shows one line, which need not end in zero and has no line end.
void log(LogLevel level, const char* text, size_t length);

}  // namespace cresset::platform
