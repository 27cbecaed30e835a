// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

namespace cresset {

[[noreturn]] __attribute__((weak)) void check_failed(const char*, const char*, int) {
  __builtin_trap();
}

}  // namespace cresset
