// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/requantize.h"

namespace cresset::kernels {

// y = table[greatest x - x] / the sum of them, along `dim`, times multiplier / 2^shift.
// `table` has 256 entries. `out` may be the memory of `x`.
void softmax_integers(const Tensor& x, size_t dim, const int32_t* table, uint32_t multiplier,
                      int32_t shift, const QuantRange& range, Tensor& out);

}  // namespace cresset::kernels
