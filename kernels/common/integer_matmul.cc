// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_matmul.h"

#include "kernels/common/integer_tile.h"

namespace cresset::kernels {

namespace {

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

}  // namespace

void multiply_integers(const ProductSizes& sizes, const Matrix<Differences>& a,
                       const Matrix<Differences>& b, const int32_t* bias,
                       ColumnRequantizer requantizer, const Matrix<IntegerOut>& out) {
  for (int64_t j = 0; j < sizes.columns; j += kIntegerRows) {
    const int64_t columns = least(sizes.columns - j, kIntegerRows);
    Requantizer requantize[kIntegerRows];
    for (int64_t c = 0; c < columns; ++c) {
      requantize[c] = requantizer(j + c);
    }
    for (int64_t i = 0; i < sizes.rows; i += kIntegerLanes) {
      IntegerLanes lanes;
      IntegerSums sums;
      lanes.count = least(sizes.rows - i, kIntegerLanes);
      for (int64_t c = 0; c < columns; ++c) {
        for (int64_t l = 0; l < lanes.count; ++l) {
          sums.sums[c][l] = bias == nullptr ? 0 : static_cast<uint32_t>(bias[j + c]);
        }
      }
      for (int64_t k = 0; k < sizes.depth; k += kIntegerDepth) {
        lanes.depth = least(sizes.depth - k, kIntegerDepth);
        for (int64_t l = 0; l < lanes.count; ++l) {
          load_differences(a.data + ((i + l) * a.row + k * a.column), a.column, lanes.depth,
                           lanes.values[l]);
        }
        const FactorRun run = {k * b.row + j * b.column, lanes.depth};
        add_products({b.data, b.column, b.row}, columns, {&run, 1}, &lanes, &sums);
      }
      for (int64_t c = 0; c < columns; ++c) {
        for (int64_t l = 0; l < lanes.count; ++l) {
          out.data.store((i + l) * out.row + (j + c) * out.column,
                         requantize[c](static_cast<int32_t>(sums.sums[c][l])));
        }
      }
    }
  }
}

}  // namespace cresset::kernels
