// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/matmul.h"

#include <type_traits>

#include "kernels/common/tile.h"

namespace cresset::kernels {

namespace {

using In = Matrix<const float*>;
using Out = Matrix<float*>;

// Rows of a and columns of b that lie along the depth in memory: R x K sums of kParts partial sums.
constexpr int kParts = 4;

template <int R, int K>
void multiply_runs(const float* const (&a)[R], const float* const (&b)[K], int64_t depth,
                   float (&sums)[R][K]) {
  float parts[R][K][kParts] = {};
  int64_t k = 0;
  for (; k + kParts <= depth; k += kParts) {
    for (int r = 0; r < R; ++r) {
      for (int c = 0; c < K; ++c) {
        for (int p = 0; p < kParts; ++p) {
          parts[r][c][p] += a[r][k + p] * b[c][k + p];
        }
      }
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < K; ++c) {
      float sum = (parts[r][c][0] + parts[r][c][1]) + (parts[r][c][2] + parts[r][c][3]);
      for (int64_t rest = k; rest < depth; ++rest) {
        sum += a[r][rest] * b[c][rest];
      }
      sums[r][c] = sum;
    }
  }
}

void multiply_runs(const ProductSizes& sizes, int64_t first, int64_t last, const In& a, const In& b,
                   const Finish<Float32>& finish, const Out& out) {
  constexpr int kRows = 2, kColumns = 4;
  for (int64_t j = 0; j < sizes.columns; j += kColumns) {
    const int64_t columns = sizes.columns - j < kColumns ? sizes.columns - j : kColumns;
    const float* b_runs[kColumns];
    for (int64_t c = 0; c < kColumns; ++c) {  // spare columns repeat the last one
      b_runs[c] = b.data + (j + (c < columns ? c : columns - 1)) * b.column;
    }
    for (int64_t i = first; i < last; i += kRows) {
      const int64_t rows = last - i < kRows ? last - i : kRows;
      float sums[kRows][kColumns];
      if (rows == 1) {
        float row_sums[1][kColumns];
        multiply_runs<1, kColumns>({a.data + i * a.row}, b_runs, sizes.depth, row_sums);
        for (int c = 0; c < kColumns; ++c) {
          sums[0][c] = row_sums[0][c];
        }
      } else {
        multiply_runs<kRows, kColumns>({a.data + i * a.row, a.data + (i + 1) * a.row}, b_runs,
                                       sizes.depth, sums);
      }
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < columns; ++c) {
          out.data[(i + r) * out.row + (j + c) * out.column] = finish(sums[r][c], i + r, j + c);
        }
      }
    }
  }
}

// One row of a meets rows of b that are contiguous: wide pieces of them at a time.
void multiply_one_row(const ProductSizes& sizes, int64_t i, const In& a, const In& b,
                      const Finish<Float32>& finish, const Out& out) {
  constexpr int64_t kWide = 64;
  for (int64_t j = 0; j < sizes.columns; j += kWide) {
    const int64_t lanes = sizes.columns - j < kWide ? sizes.columns - j : kWide;
    float sums[kWide] = {};
    for (int64_t k = 0; k < sizes.depth; ++k) {
      const float factor = a.data[i * a.row + k * a.column];
      const float* const from = b.data + k * b.row + j;
      for (int64_t l = 0; l < lanes; ++l) {
        sums[l] += factor * from[l];
      }
    }
    for (int64_t l = 0; l < lanes; ++l) {
      out.data[i * out.row + (j + l) * out.column] = finish(sums[l], i, j + l);
    }
  }
}

// Columns of b, a piece of the depth at a time, meet all rows of a; until its last piece, `out`
// holds the sums. For elements that are their own Compute.
template <class E>
void multiply_packed(const ProductSizes& sizes, int64_t first, int64_t last,
                     const Matrix<typename E::In>& a, const Matrix<typename E::In>& b,
                     const Finish<E>& finish, const Matrix<typename E::Out>& out) {
  using C = typename E::Compute;
  constexpr int64_t kDepth = 64;
  C packed[kDepth * kTileLanes] = {};
  for (int64_t j = 0; j < sizes.columns; j += kTileLanes) {
    const int64_t lanes = sizes.columns - j < kTileLanes ? sizes.columns - j : int64_t{kTileLanes};
    for (int64_t k = 0; k == 0 || k < sizes.depth; k += kDepth) {
      const int64_t depth = sizes.depth - k < kDepth ? sizes.depth - k : kDepth;
      pack_columns<E>({b.data + k * b.row + j * b.column, b.row, b.column, {0, 1, lanes}}, depth,
                      packed);
      for (int64_t i = first; i < last; i += kTileRows) {
        const int64_t rows = last - i < kTileRows ? last - i : int64_t{kTileRows};
        const auto at = out.data + i * out.row + j * out.column;
        TileSums<C> sums = {};
        for (int64_t r = 0; k > 0 && r < rows; ++r) {
          for (int64_t l = 0; l < lanes; ++l) {
            sums[r][l] = at[r * out.row + l * out.column];
          }
        }
        multiply_tile<E>({a.data + i * a.row + k * a.column, a.row, a.column, rows}, packed,
                         kTileLanes, depth, sums);
        const bool done = k + kDepth >= sizes.depth;
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t l = 0; l < lanes; ++l) {
            at[r * out.row + l * out.column] = done ? finish(sums[r][l], i + r, j + l) : sums[r][l];
          }
        }
      }
    }
  }
}

template <class E>
void multiply_tiles(const ProductSizes& sizes, int64_t first, int64_t last,
                    const Matrix<typename E::In>& a, const Matrix<typename E::In>& b,
                    const Finish<E>& finish, const Matrix<typename E::Out>& out) {
  for (int64_t j = 0; j < sizes.columns; j += kTileLanes) {
    const int64_t lanes = sizes.columns - j < kTileLanes ? sizes.columns - j : kTileLanes;
    for (int64_t i = first; i < last; i += kTileRows) {
      const int64_t rows = last - i < kTileRows ? last - i : kTileRows;
      TileSums<typename E::Compute> sums = {};
      multiply_tile<E>({a.data + i * a.row, a.row, a.column, rows},
                       {b.data + j * b.column, b.row, b.column, {0, 1, lanes}}, sizes.depth, sums);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t l = 0; l < lanes; ++l) {
          store(out.data, (i + r) * out.row + (j + l) * out.column,
                finish(sums[r][l], i + r, j + l));
        }
      }
    }
  }
}

}  // namespace

template <class E>
void multiply_rows(const ProductSizes& sizes, int64_t first, int64_t last,
                   const Matrix<typename E::In>& a, const Matrix<typename E::In>& b,
                   const Finish<E>& finish, const Matrix<typename E::Out>& out) {
  if constexpr (std::is_same_v<E, Float32>) {
    if (last - first < kTileRows && a.column == 1 && b.row == 1) {
      return multiply_runs(sizes, first, last, a, b, finish, out);
    }
    if (last - first == 1 && b.column == 1) {
      return multiply_one_row(sizes, first, a, b, finish, out);
    }
  }
  if constexpr (std::is_pointer_v<typename E::In>) {
    multiply_packed<E>(sizes, first, last, a, b, finish, out);
  } else {
    multiply_tiles<E>(sizes, first, last, a, b, finish, out);
  }
}

#define CRESSET_MULTIPLY(E)                                                                    \
  template void multiply_rows<E>(const ProductSizes&, int64_t, int64_t,                        \
                                 const Matrix<typename E::In>&, const Matrix<typename E::In>&, \
                                 const Finish<E>&, const Matrix<typename E::Out>&);
CRESSET_MULTIPLY(Float32)
CRESSET_MULTIPLY(Float64)
CRESSET_MULTIPLY(Float16)
CRESSET_MULTIPLY(Integers)
#undef CRESSET_MULTIPLY

}  // namespace cresset::kernels
