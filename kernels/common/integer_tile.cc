// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_tile.h"

namespace cresset::kernels {

namespace {

constexpr int64_t kStep = 8;    // products that are added up side by side
constexpr int64_t kAtOnce = 4;  // lanes that share a row's factors

// sums[l] += row . lane l, for `count` lanes from the first one on.
template <int64_t count>
void add_dot_products(const int16_t* row, const int16_t (*lanes)[kIntegerDepth], int64_t depth,
                      uint32_t* sums) {
  int32_t totals[count] = {};
  for (int64_t l = 0; l < count; ++l) {
    const int16_t* const lane = lanes[l];
    int32_t total = 0;
    for (int64_t k = 0; k < depth; ++k) {
      total += row[k] * lane[k];
    }
    totals[l] = total;
  }
  for (int64_t l = 0; l < count; ++l) {
    sums[l] += static_cast<uint32_t>(totals[l]);
  }
}

}  // namespace

void add_products(const Factors& factors, int64_t rows, Span<const FactorRun> runs,
                  IntegerLanes* lanes, IntegerSums* sums) {
  const int64_t depth = (lanes->depth + kStep - 1) / kStep * kStep;
  int16_t row[kIntegerDepth];
  for (int64_t k = lanes->depth; k < depth; ++k) {
    row[k] = 0;
    for (int64_t l = 0; l < lanes->count; ++l) {
      lanes->values[l][k] = 0;
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    int64_t at = 0;
    for (const FactorRun& run : runs) {
      load_differences(factors.data + (r * factors.row + run.from), factors.step, run.count,
                       row + at);
      at += run.count;
    }
    uint32_t* const to = sums->sums[r];
    int64_t l = 0;
    for (; l + kAtOnce <= lanes->count; l += kAtOnce) {
      add_dot_products<kAtOnce>(row, lanes->values + l, depth, to + l);
    }
    for (; l < lanes->count; ++l) {
      add_dot_products<1>(row, lanes->values + l, depth, to + l);
    }
  }
}

}  // namespace cresset::kernels
