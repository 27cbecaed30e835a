// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/scalar.h"
#include "core/tensor.h"

namespace cresset::kernels {

// out, of rank 1, = start, start + step, start + 2 * step, ...; in double precision for floats.
Status fill_range(KernelContext& context, Scalar start, Scalar step, Tensor& out);

}  // namespace cresset::kernels
