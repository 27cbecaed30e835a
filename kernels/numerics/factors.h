// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "kernels/numerics/matrices.h"

// Factorizations in place, laid out and signed as LAPACK does. Pivots count from 1, as LAPACK's.
namespace cresset::kernels::numerics {

using Pivots = std::vector<int64_t>;

// P a = L U with partial pivoting: L below the diagonal (its own is 1), U on and above. Row k was
// swapped with row pivots[k]. Returns 0, or the number (from 1) of the first zero on U's diagonal.
int64_t factor_lu(Matrix& a, Pivots& pivots);
// a x = b, or a^T x = b, on what factor_lu gave. A zero pivot gives infinities and NaN.
void solve_lu(const Matrix& lu, const Pivots& pivots, bool transposed, Matrix& b);
// Reads pivots of a batch item; kInvalidArgument where one is not a row of `rows`.
Status read_pivots(KernelContext& context, const Tensor& tensor, const Batch& batch, int64_t i,
                   int64_t rows, Pivots& pivots);
void write_pivots(Tensor& tensor, const Batch& batch, int64_t i, const Pivots& pivots);
// The determinant's sign that the swaps make, and the diagonal of U.
double sign_of(const Pivots& pivots);

// a = L L^T from the lower triangle; the strict upper triangle becomes 0. Returns 0, or the order
// (from 1) of the first leading minor that is not positive: then columns from there on are as they
// were.
int64_t factor_cholesky(Matrix& a);

// a * b. Compiled once: a product of expressions instantiates all of Eigen's multiplication.
Matrix product(const Matrix& a, const Matrix& b);

enum class Triangle : uint8_t { kLower, kUpper };
// t x = b in place, t the given triangle of a; its diagonal is taken as ones where `unit`.
void solve_triangle(const Matrix& a, Triangle triangle, bool unit, Matrix& b);
Matrix triangle_of(const Matrix& a, Triangle triangle, bool unit);

// a = Q R: R on and above the diagonal, below it the vectors of the reflections, whose factors are
// `tau` (min(rows, columns) of them).
void factor_qr(Matrix& a, Column& tau);
// m = Q m or Q^T m, for the first tau.size() reflections stored in the columns of `a`.
void apply_q(const Matrix& a, const Column& tau, bool transposed, Matrix& m);

}  // namespace cresset::kernels::numerics
