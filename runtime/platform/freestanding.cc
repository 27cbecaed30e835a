// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/platform/platform.h"

namespace cresset::platform {

__attribute__((weak)) uint64_t now_ticks() { return 0; }

__attribute__((weak)) TickRatio tick_ratio() { return {1, 1}; }

__attribute__((weak)) void log(LogLevel level, const char* text, size_t length) {
  (void)level, (void)text, (void)length;
}

}  // namespace cresset::platform
