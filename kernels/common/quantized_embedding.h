// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/kernel_context.h"
#include "core/tensor.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels {

// A table of quantized rows. Numbers of 4 bits lie in pairs, the first in the high half of a byte;
// numbers of 2 bits in fours, the first in the lowest bits; both are stored above bounds.low.
struct QuantizedTable {
  const Tensor& weight;
  const Tensor& scales;       // one a row, or [rows, groups]
  const Tensor* zero_points;  // like scales; null: 0
  int bits;                   // 8, 4 or 2
  QuantBounds bounds;
};

// out = (row - zero point) * scale for each index; the product is rounded to the dtype of the
// scales and then to out's.
Status quantized_embedding(KernelContext& context, const QuantizedTable& table,
                           const Tensor& indices, Tensor& out);

}  // namespace cresset::kernels
