// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"
#include "kernels/common/elementwise.h"

// The few elementwise operators that take complex numbers, element by element in double precision:
// correct, not fast. `out` is complex, operands are complex or real.
namespace cresset::kernels {

// out = a + alpha * b.
Status complex_add(KernelContext& context, const Operand& a, const Operand& b, double alpha,
                   Tensor& out);
Status complex_multiply(KernelContext& context, const Operand& a, const Operand& b, Tensor& out);
Status complex_divide(KernelContext& context, const Operand& a, const Operand& b, Tensor& out);
// out = a ** b, the principal value.
Status complex_power(KernelContext& context, const Operand& a, const Operand& b, Tensor& out);

}  // namespace cresset::kernels
