// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/tensor.h"

namespace cresset::kernels {

// Where element `index` of the row-major order of `sizes` lies, in elements from the start.
int64_t logical_offset(const Tensor& tensor, int64_t index);

// `to` = the elements of `from`, both read in row-major order of their own shapes, whatever their
// dim orders. Equal numbers of elements and dtypes; the same memory is allowed where both are
// contiguous.
void copy_reshaped(const Tensor& from, Tensor& to);

}  // namespace cresset::kernels
