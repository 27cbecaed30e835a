// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/function_ref.h"
#include "kernels/common/integer_elements.h"
#include "kernels/common/loop_nest.h"
#include "kernels/common/matmul.h"
#include "kernels/common/requantize.h"

namespace cresset::kernels {

// The requantization of one column of a product.
using ColumnRequantizer = FunctionRef<Requantizer(int64_t column)>;

// out[i, j] = requantizer(j)(bias[j] + sum of a[i, k] * b[k, j]); sums wrap at 32 bits. `bias` may
// be null.
void multiply_integers(KernelContext& context, const ProductSizes& sizes,
                       const Matrix<Differences>& a, const Matrix<Differences>& b,
                       const int32_t* bias, ColumnRequantizer requantizer,
                       const Matrix<IntegerOut>& out);

}  // namespace cresset::kernels
