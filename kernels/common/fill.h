// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/scalar.h"
#include "core/tensor.h"

namespace cresset::kernels {

// Every element of `out` = `value` converted to its dtype; integers wrap.
Status fill(KernelContext& context, Tensor& out, Scalar value);

// The one element of a tensor of any shape with one element, as a number.
Status read_number(KernelContext& context, const Tensor& tensor, Scalar* number);

}  // namespace cresset::kernels
