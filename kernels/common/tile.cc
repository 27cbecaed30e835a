// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/tile.h"

#include <type_traits>

namespace cresset::kernels {

template <class E>
void multiply_tile(const TileRows<typename E::In>& rows, const typename E::Compute* columns,
                   int64_t step, int64_t depth, TileSums<typename E::Compute>& sums) {
  using C = typename E::Compute;
  TileSums<C> local;
  int64_t at[kTileRows];
  for (int r = 0; r < kTileRows; ++r) {
    at[r] = (r < rows.count ? r : rows.count - 1) * rows.row;
    for (int l = 0; l < kTileLanes; ++l) {
      local[r][l] = sums[r][l];
    }
  }
  for (int64_t k = 0; k < depth; ++k) {
    C lane[kTileLanes];
    for (int l = 0; l < kTileLanes; ++l) {
      lane[l] = columns[k * step + l];
    }
    for (int r = 0; r < kTileRows; ++r) {
      const C factor = rows.data[at[r] + k * rows.depth];
      for (int l = 0; l < kTileLanes; ++l) {
        local[r][l] = multiply_add(local[r][l], factor, lane[l]);
      }
    }
  }
  for (int r = 0; r < kTileRows; ++r) {
    for (int l = 0; l < kTileLanes; ++l) {
      sums[r][l] = local[r][l];
    }
  }
}

template <class E>
void multiply_tile(const TileRows<typename E::In>& rows, const TileColumns<typename E::In>& columns,
                   int64_t depth, TileSums<typename E::Compute>& sums) {
  using C = typename E::Compute;
  if constexpr (std::is_pointer_v<typename E::In>) {
    if (columns.lanes.count == kTileLanes && columns.lane == 1) {
      multiply_tile<E>(rows, columns.data, columns.depth, depth, sums);
      return;
    }
  }
  constexpr int64_t kDepth = 16;
  C packed[kDepth * kTileLanes];
  if (columns.lanes.count < kTileLanes) {
    for (int64_t i = 0; i < (depth < kDepth ? depth : kDepth) * kTileLanes; ++i) {
      packed[i] = 0;
    }
  }
  for (int64_t k = 0; k < depth; k += kDepth) {
    const int64_t count = depth - k < kDepth ? depth - k : kDepth;
    pack_columns<E>({columns.data + k * columns.depth, columns.depth, columns.lane, columns.lanes},
                    count, packed);
    multiply_tile<E>({rows.data + k * rows.depth, rows.row, rows.depth, rows.count}, packed,
                     kTileLanes, count, sums);
  }
}

#define CRESSET_TILE(E)                                                                       \
  template void multiply_tile<E>(const TileRows<typename E::In>&, const typename E::Compute*, \
                                 int64_t, int64_t, TileSums<typename E::Compute>&);           \
  template void multiply_tile<E>(const TileRows<typename E::In>&,                             \
                                 const TileColumns<typename E::In>&, int64_t,                 \
                                 TileSums<typename E::Compute>&);
CRESSET_TILE(Float32)
CRESSET_TILE(Float64)
CRESSET_TILE(Float16)
CRESSET_TILE(Integers)
#undef CRESSET_TILE

}  // namespace cresset::kernels
