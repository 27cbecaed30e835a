// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"

namespace cresset::kernels {

// out = exp(self) / sum(exp(self)) along `dim` (negative: from the end), or its logarithm. Shifted
// by the maximum, so that it does not overflow. `out` may be the memory of `self`.
Status softmax(KernelContext& context, const Tensor& self, int64_t dim, bool logarithm,
               Tensor& out);

}  // namespace cresset::kernels
