// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/registry.h"

#include "kernels/portable/kernels.h"
#include "kernels/row.h"

namespace cresset::kernels {

namespace {

constexpr ops::Kernel kPortable[] = {
#define KERNEL(id) CRESSET_ROW(portable, id, nullptr)
#define KERNEL_SCRATCH(id) CRESSET_ROW(portable, id, portable::id##_scratch)
#ifdef CRESSET_SELECTED_OPS
#include CRESSET_SELECTED_OPS
#else
#include "kernels/portable/kernels.def"
#endif
#undef KERNEL
#undef KERNEL_SCRATCH
};

}  // namespace

ops::KernelTable portable_kernels() { return kPortable; }

}  // namespace cresset::kernels
