// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/kernel_table.h"

#include <cstring>

namespace cresset::ops {

const Kernel* find_kernel(KernelTables tables, const char* name, const char* overload) {
  for (const KernelTable& table : tables) {
    for (const Kernel& kernel : table) {
      if (std::strcmp(kernel.name, name) == 0 && std::strcmp(kernel.overload, overload) == 0) {
        return &kernel;
      }
    }
  }
  return nullptr;
}

}  // namespace cresset::ops
