// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/kernel_libraries.h"

#include "kernels/registry.h"

namespace cresset::cli {

std::vector<std::string> kernel_libraries(const ops::OpInfo& op) {
  const ops::KernelTables tables = kernels::host_kernels();
  const std::string name(op.name);
  const std::string overload(op.out);
  std::vector<std::string> libraries;
  for (size_t i = 0; i < tables.size(); ++i) {
    if (ops::find_kernel(tables.subspan(i, 1), name.c_str(), overload.c_str()) != nullptr) {
      libraries.emplace_back(kernels::host_library_name(i));
    }
  }
  return libraries;
}

}  // namespace cresset::cli
