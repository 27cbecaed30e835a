// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

// Special functions of float64, applied to tensors of every dtype: one body an operator, and
// results that are right to the last digit of the narrower dtypes.
namespace cresset::kernels::numerics {

using Function1 = double(double);
using Function2 = double(double, double);

Status apply(KernelContext& context, const Tensor& self, Tensor& out, Function1* f);
Status apply(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out,
             Function2* f);

#define CRESSET_FUNCTION1(id, f)                                       \
  Status id(KernelContext& context, const Tensor& self, Tensor& out) { \
    return apply(context, self, out, f);                               \
  }
#define CRESSET_FUNCTION2(id, f)                                                            \
  Status id(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) { \
    return apply(context, self, other, out, f);                                             \
  }

// Shared by families.
double zeta(double s, double q);
// exp(x^2) * erfc(x)
double scaled_erfc(double x);

}  // namespace cresset::kernels::numerics
