// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_matmul.h"

#include "kernels/common/integer_tile.h"

namespace cresset::kernels {

namespace {

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

}  // namespace

void multiply_integers(KernelContext& context, const ProductSizes& sizes,
                       const Matrix<Differences>& a, const Matrix<Differences>& b,
                       const int32_t* bias, ColumnRequantizer requantizer,
                       const Matrix<IntegerOut>& out) {
  const int64_t blocks = (sizes.columns + kIntegerRows - 1) / kIntegerRows;
  const int64_t tiles = (sizes.rows + kIntegerLanes - 1) / kIntegerLanes;
  const int64_t grain = 1 + 65536 / (1 + sizes.depth * kIntegerRows * kIntegerLanes);
  context.parallel_for(blocks * tiles, grain, [&](int64_t first, int64_t last) {
    Requantizer requantize[kIntegerRows];
    int64_t prepared = -1;
    for (int64_t piece = first; piece < last; ++piece) {
      const int64_t j = piece / tiles * kIntegerRows, i = piece % tiles * kIntegerLanes;
      const int64_t columns = least(sizes.columns - j, kIntegerRows);
      for (int64_t c = 0; j != prepared && c < columns; ++c) {
        requantize[c] = requantizer(j + c);
      }
      prepared = j;
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
        const FactorRun run = {0, static_cast<int32_t>(lanes.depth)};
        add_products({b.data + (k * b.row + j * b.column), b.column, b.row}, columns, {&run, 1},
                     &lanes, &sums);
      }
      for (int64_t c = 0; c < columns; ++c) {
        requantize[c].run(sums.sums[c], lanes.count,
                          out.data + (i * out.row + (j + c) * out.column), out.row);
      }
    }
  });
}

}  // namespace cresset::kernels
