// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"

namespace cresset::kernels {

enum class Direction : uint8_t { kAscending, kDescending };

// Bytes of scratch for ordering lines of `length` elements.
size_t ordering_scratch(int64_t length);

// values = the elements of self in order along `dim`, of which the first ones as far as the output
// reaches; indices = where they were. Equal elements keep their order; NaN is greater than all.
Status order_lines(KernelContext& context, const Tensor& self, size_t dim, Direction direction,
                   Tensor& values, Tensor& indices);

}  // namespace cresset::kernels
