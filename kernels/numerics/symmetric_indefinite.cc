// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/kernel.h"
#include "kernels/numerics/factors.h"

// L D L^T with Bunch and Kaufman's pivoting on the lower triangle, laid out as LAPACK's sytrf does:
// a pivot p > 0 is a 1x1 block whose row was swapped with row p; two equal ones below 0 are a 2x2
// block whose second row was swapped with row -p.
namespace cresset::kernels::numerics {

namespace {

struct Block {
  int64_t pivot;  // from 0
  int64_t size;
};

// |a| in row and column `at` of the symmetric matrix, from column `from` on, without the diagonal.
double greatest_beside(const Matrix& a, int64_t from, int64_t at) {
  double greatest = 0;
  for (int64_t c = from; c < at; ++c) {
    greatest = std::max(greatest, std::abs(a(at, c)));
  }
  for (int64_t r = at + 1; r < a.rows(); ++r) {
    greatest = std::max(greatest, std::abs(a(r, at)));
  }
  return greatest;
}

Block choose(const Matrix& a, int64_t k) {
  const double alpha = (1 + std::sqrt(17.0)) / 8;
  int64_t best = k;
  double column = 0;
  for (int64_t r = k + 1; r < a.rows(); ++r) {
    if (std::abs(a(r, k)) > column) {
      best = r;
      column = std::abs(a(r, k));
    }
  }
  const double here = std::abs(a(k, k));
  if (here >= alpha * column) {
    return {k, 1};
  }
  const double row = greatest_beside(a, k, best);
  if (here >= alpha * column * (column / row)) {
    return {k, 1};
  }
  return {best, std::abs(a(best, best)) >= alpha * row ? 1 : 2};
}

// Swaps rows and columns `to` and `from` > `to` of the trailing symmetric matrix.
void swap(Matrix& a, int64_t to, int64_t from) {
  for (int64_t r = from + 1; r < a.rows(); ++r) {
    std::swap(a(r, to), a(r, from));
  }
  for (int64_t r = to + 1; r < from; ++r) {
    std::swap(a(r, to), a(from, r));
  }
  std::swap(a(to, to), a(from, from));
}

void eliminate_one(Matrix& a, int64_t k) {
  const double inverse = 1 / a(k, k);
  for (int64_t c = k + 1; c < a.rows(); ++c) {
    const double factor = inverse * a(c, k);
    for (int64_t r = c; r < a.rows(); ++r) {
      a(r, c) -= factor * a(r, k);
    }
  }
  a.col(k).tail(a.rows() - k - 1) *= inverse;
}

void eliminate_two(Matrix& a, int64_t k) {
  const double beside = a(k + 1, k);
  const double d11 = a(k + 1, k + 1) / beside, d22 = a(k, k) / beside;
  const double factor = 1 / (d11 * d22 - 1) / beside;
  for (int64_t c = k + 2; c < a.rows(); ++c) {
    const double first = factor * (d11 * a(c, k) - a(c, k + 1));
    const double second = factor * (d22 * a(c, k + 1) - a(c, k));
    for (int64_t r = c; r < a.rows(); ++r) {
      a(r, c) -= a(r, k) * first + a(r, k + 1) * second;
    }
    a(c, k) = first;
    a(c, k + 1) = second;
  }
}

// Returns 0 or the number (from 1) of the first zero block.
int64_t factor(Matrix& a, Pivots& pivots) {
  const int64_t n = a.rows();
  int64_t singular = 0;
  pivots.assign(static_cast<size_t>(n), 0);
  for (int64_t k = 0; k < n;) {
    const size_t at = static_cast<size_t>(k);
    if (a.col(k).tail(n - k).isZero(0)) {
      singular = singular == 0 ? k + 1 : singular;
      pivots[at] = ++k;
      continue;
    }
    const Block block = choose(a, k);
    const int64_t last = k + block.size - 1;
    if (block.pivot != last) {
      swap(a, last, block.pivot);
      if (block.size == 2) {
        std::swap(a(k + 1, k), a(block.pivot, k));
      }
    }
    if (block.size == 1) {
      eliminate_one(a, k);
      pivots[at] = block.pivot + 1;
    } else {
      eliminate_two(a, k);
      pivots[at] = pivots[at + 1] = -(block.pivot + 1);
    }
    k += block.size;
  }
  return singular;
}

void swap_rows(Matrix& b, int64_t r, int64_t other) {
  if (r != other) {
    b.row(r).swap(b.row(other));
  }
}

// b = L D \ b, swaps included.
void solve_forward(const Matrix& a, const Pivots& pivots, Matrix& b) {
  const int64_t n = a.rows();
  for (int64_t k = 0; k < n;) {
    const int64_t pivot = pivots[static_cast<size_t>(k)];
    if (pivot > 0) {
      swap_rows(b, k, pivot - 1);
      for (int64_t r = k + 1; r < n; ++r) {
        b.row(r) -= a(r, k) * b.row(k);
      }
      b.row(k) /= a(k, k);
      ++k;
      continue;
    }
    swap_rows(b, k + 1, -pivot - 1);
    for (int64_t r = k + 2; r < n; ++r) {
      b.row(r) -= a(r, k) * b.row(k) + a(r, k + 1) * b.row(k + 1);
    }
    const double beside = a(k + 1, k);
    const double upper = a(k, k) / beside, lower = a(k + 1, k + 1) / beside;
    const double determinant = upper * lower - 1;
    const Eigen::RowVectorXd first = b.row(k) / beside, second = b.row(k + 1) / beside;
    b.row(k) = (lower * first - second) / determinant;
    b.row(k + 1) = (upper * second - first) / determinant;
    k += 2;
  }
}

// b = L^T \ b, swaps included.
void solve_backward(const Matrix& a, const Pivots& pivots, Matrix& b) {
  const int64_t n = a.rows();
  for (int64_t k = n - 1; k >= 0;) {
    const int64_t pivot = pivots[static_cast<size_t>(k)];
    const int64_t size = pivot > 0 ? 1 : 2;
    for (int64_t r = k + 1; r < n; ++r) {
      b.row(k) -= a(r, k) * b.row(r);
      if (size == 2) {
        b.row(k - 1) -= a(r, k - 1) * b.row(r);
      }
    }
    swap_rows(b, k, (pivot > 0 ? pivot : -pivot) - 1);
    k -= size;
  }
}

// Pivots are data: rows in range, and 2x2 blocks come in pairs.
Status read_block_pivots(KernelContext& context, const Tensor& tensor, const Batch& batch,
                         int64_t i, int64_t rows, Pivots& pivots) {
  const Matrix values = read(tensor, batch, i, 1);
  pivots.assign(values.data(), values.data() + values.size());
  for (size_t k = 0; k < pivots.size(); ++k) {
    const int64_t row = std::abs(pivots[k]);
    const bool paired = pivots[k] > 0 || (k + 1 < pivots.size() && pivots[k + 1] == pivots[k]);
    if (row < 1 || row > rows || !paired) {
      return context.fail(Status::kInvalidArgument, "pivots: {} at {} names no block of {} rows",
                          pivots[k], k, rows);
    }
    k += pivots[k] > 0 ? 0 : 1;
  }
  return Status::kOk;
}

}  // namespace

Status linalg_ldl_factor_ex(KernelContext& context, const Tensor& self, bool hermitian,
                            bool check_errors, Tensor& ld, Tensor& pivots, Tensor& info) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(self);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix m = triangle_of(read(self, batch, i), Triangle::kLower, false);
    Pivots order;
    const int64_t at = factor(m, order);
    write(ld, batch, i, m);
    write_pivots(pivots, batch, i, order);
    write(info, batch, i, static_cast<double>(at));
    return check_errors && at != 0
               ? context.fail(Status::kInvalidArgument,
                              "matrix {} of the batch is singular: block {} of D is zero", i, at)
               : Status::kOk;
  });
}

Status linalg_ldl_solve(KernelContext& context, const Tensor& ld, const Tensor& pivots,
                        const Tensor& b, bool hermitian, Tensor& out) {
  CRESSET_TRY(want_float(context, ld, "LD"));
  const Batch batch = batch_of(out);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix factors = read(ld, batch, i);
    Pivots order;
    CRESSET_TRY(read_block_pivots(context, pivots, batch, i, factors.rows(), order));
    Matrix x = read(b, batch, i);
    solve_forward(factors, order, x);
    solve_backward(factors, order, x);
    write(out, batch, i, x);
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::numerics
