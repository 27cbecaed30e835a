// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"

namespace cresset::kernels {

enum class Scan : uint8_t { kSum, kProduct };

// out = sums or products of the elements of self up to and with each one along `dim`; elements are
// converted to out's dtype first, integers wrap.
Status scan_lines(KernelContext& context, const Tensor& self, size_t dim, Scan scan, Tensor& out);

}  // namespace cresset::kernels
