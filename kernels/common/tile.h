// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elements.h"

// The innermost loops of matrix products and convolutions: small tiles of sums that a compiler
// keeps in registers. Defined for each way to compute elements.
namespace cresset::kernels {

inline constexpr int kTileRows = 4;
inline constexpr int kTileLanes = 8;

template <class C>
using TileSums = C[kTileRows][kTileLanes];

// The factor that differs from row to row: element (r, k) is data[r * row + k * depth]. `count`
// rows exist, 1 to kTileRows; the sums of the others are meaningless.
template <class In>
struct TileRows {
  In data;
  int64_t row, depth;
  int64_t count;
};

// Those lanes of a tile that a factor reaches: first, first + step, ..., `count` of them.
struct Lanes {
  int64_t first = 0;
  int64_t step = 1;
  int64_t count = 0;
};

// sums[r][l] += rows(r, k) * columns[k * step + l] over k in [0, depth).
template <class E>
void multiply_tile(const TileRows<typename E::In>& rows, const typename E::Compute* columns,
                   int64_t step, int64_t depth, TileSums<typename E::Compute>& sums);

// The factor that differs from lane to lane: the i-th of `lanes` at depth k is
// data[k * depth + i * lane].
template <class In>
struct TileColumns {
  In data;
  int64_t depth, lane;
  Lanes lanes;
};

// The same with columns anywhere: lanes that they do not reach keep their sums.
template <class E>
void multiply_tile(const TileRows<typename E::In>& rows, const TileColumns<typename E::In>& columns,
                   int64_t depth, TileSums<typename E::Compute>& sums);

// packed[k * kTileLanes + l] = lane l at depth k. Lanes that `columns` does not reach are left
// alone.
template <class E>
inline void pack_columns(const TileColumns<typename E::In>& columns, int64_t depth,
                         typename E::Compute* packed) {
  const Lanes& lanes = columns.lanes;
  if (columns.lane == 1) {
    for (int64_t k = 0; k < depth; ++k) {
      typename E::Compute* const to = packed + k * kTileLanes + lanes.first;
      for (int64_t i = 0; i < lanes.count; ++i) {
        to[i * lanes.step] = columns.data[i + k * columns.depth];
      }
    }
    return;
  }
  for (int64_t i = 0; i < lanes.count; ++i) {
    typename E::Compute* const to = packed + lanes.first + i * lanes.step;
    for (int64_t k = 0; k < depth; ++k) {
      to[k * kTileLanes] = columns.data[i * columns.lane + k * columns.depth];
    }
  }
}

}  // namespace cresset::kernels
