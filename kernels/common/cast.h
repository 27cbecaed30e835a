// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"

namespace cresset::kernels {

// `out` = the elements of `from`, which broadcasts to out's shape, converted to out's dtype
// (kernels/common/convert.h). Any dim orders. Complex numbers do not become real ones.
Status cast(KernelContext& context, const Tensor& from, Tensor& out);

}  // namespace cresset::kernels
