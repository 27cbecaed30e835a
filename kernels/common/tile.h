// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <type_traits>

#include "kernels/common/elements.h"

// The innermost loops of matrix products and convolutions: small tiles of sums that a compiler
// keeps in registers.
namespace cresset::kernels {

inline constexpr int kTileRows = 4;
inline constexpr int kTileLanes = 8;

// The lanes of a tile that a factor reaches: first, first + step, ..., `count` of them.
struct Lanes {
  int64_t first = 0;
  int64_t step = 1;
  int64_t count = 0;
};

namespace tile_detail {

// sums[r][lane] += rows[r][k] * columns[k][lane]; `load` fills one k's lanes.
template <int R, int L, class E, class Load>
inline void multiply(typename E::Compute (&sums)[R][L], typename E::In rows, int64_t row_stride,
                     int64_t row_k, int64_t row_count, int64_t depth, Load&& load) {
  using C = typename E::Compute;
  C local[R][L];
  int64_t row_at[R];
  for (int r = 0; r < R; ++r) {
    row_at[r] = (r < row_count ? r : row_count - 1) * row_stride;  // spare rows are not stored
    for (int l = 0; l < L; ++l) {
      local[r][l] = sums[r][l];
    }
  }
  for (int64_t k = 0; k < depth; ++k) {
    C lane[L];
    load(k, lane);
    for (int r = 0; r < R; ++r) {
      const C factor = rows[row_at[r] + k * row_k];
      for (int l = 0; l < L; ++l) {
        local[r][l] = multiply_add(local[r][l], factor, lane[l]);
      }
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int l = 0; l < L; ++l) {
      sums[r][l] = local[r][l];
    }
  }
}

}  // namespace tile_detail

// sums[r][lanes] += sum over k < depth of rows[r * row_stride + k * row_k] *
// columns[k * column_k + i * column_stride], i counting the lanes. `row_count` in [1, R]; the sums
// of the rows behind it are meaningless.
template <class E, int R = kTileRows, int L = kTileLanes>
inline void multiply_tile(typename E::Compute (&sums)[R][L], typename E::In rows,
                          int64_t row_stride, int64_t row_k, int64_t row_count,
                          typename E::In columns, int64_t column_k, int64_t column_stride,
                          const Lanes& lanes, int64_t depth) {
  using C = typename E::Compute;
  // The same loop three times, so that the one without gaps is made of vectors; once where elements
  // are converted anyway.
  constexpr bool kDirect = std::is_pointer_v<typename E::In>;
  if (kDirect && lanes.count == L && column_stride == 1) {
    tile_detail::multiply<R, L, E>(sums, rows, row_stride, row_k, row_count, depth,
                                   [&](int64_t k, C(&lane)[L]) {
                                     const int64_t from = k * column_k;
                                     for (int l = 0; l < L; ++l) {
                                       lane[l] = columns[from + l];
                                     }
                                   });
    return;
  }
  if (kDirect && lanes.count == L) {
    tile_detail::multiply<R, L, E>(sums, rows, row_stride, row_k, row_count, depth,
                                   [&](int64_t k, C(&lane)[L]) {
                                     const int64_t from = k * column_k;
                                     for (int l = 0; l < L; ++l) {
                                       lane[l] = columns[from + l * column_stride];
                                     }
                                   });
    return;
  }
  tile_detail::multiply<R, L, E>(
      sums, rows, row_stride, row_k, row_count, depth, [&](int64_t k, C(&lane)[L]) {
        const int64_t from = k * column_k;
        for (int l = 0; l < L; ++l) {
          lane[l] = 0;
        }
        for (int64_t i = 0; i < lanes.count; ++i) {
          lane[lanes.first + i * lanes.step] = columns[from + i * column_stride];
        }
      });
}

}  // namespace cresset::kernels
