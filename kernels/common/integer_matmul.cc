// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_matmul.h"

namespace cresset::kernels {

void multiply_integers(const ProductSizes& sizes, const Matrix<Differences>& a,
                       const Matrix<Differences>& b, const int32_t* bias,
                       ColumnRequantizer requantizer, const Matrix<IntegerOut>& out) {
  for (int64_t j = 0; j < sizes.columns; ++j) {
    const Requantizer requantize = requantizer(j);
    for (int64_t i = 0; i < sizes.rows; ++i) {
      uint32_t sum = bias == nullptr ? 0 : static_cast<uint32_t>(bias[j]);
      for (int64_t k = 0; k < sizes.depth; ++k) {
        sum += static_cast<uint32_t>(a.data[i * a.row + k * a.column] *
                                     b.data[k * b.row + j * b.column]);
      }
      out.data.store(i * out.row + j * out.column, requantize(static_cast<int32_t>(sum)));
    }
  }
}

}  // namespace cresset::kernels
