// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/numerics/kernels.h"
#include "kernels/registry.h"
#include "kernels/row.h"

namespace cresset::kernels {

namespace {

constexpr ops::Kernel kNumerics[] = {
#define KERNEL(id) CRESSET_ROW(numerics, id, nullptr)
#include "kernels/numerics/kernels.def"
#undef KERNEL
};

}  // namespace

ops::KernelTable numerics_kernels() { return kNumerics; }

ops::KernelTables host_kernels() {
  static const ops::KernelTable tables[] = {portable_kernels(), numerics_kernels()};
  return tables;
}

const char* host_library_name(size_t index) { return index == 0 ? "portable" : "numerics"; }

}  // namespace cresset::kernels
