// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "kernels/common/kernel.h"
#include "kernels/numerics/factors.h"

// What rests on the factorization with pivots: LU itself, determinants, inverses, solutions.
namespace cresset::kernels::numerics {

namespace {

Status singular(KernelContext& context, int64_t i, int64_t at) {
  return context.fail(Status::kInvalidArgument,
                      "matrix {} of the batch is singular: diagonal element {} of U is zero", i,
                      at);
}

Status want_pivoting(KernelContext& context, bool pivot) {
  return pivot ? Status::kOk
               : context.fail(Status::kNotSupported, "pivot: only true is supported, got false");
}

// Row i of the product P L U is row order[i] of L U.
Matrix permutation(const Pivots& pivots, int64_t rows) {
  std::vector<int64_t> order(static_cast<size_t>(rows));
  for (int64_t r = 0; r < rows; ++r) {
    order[static_cast<size_t>(r)] = r;
  }
  for (size_t k = 0; k < pivots.size(); ++k) {
    std::swap(order[k], order[static_cast<size_t>(pivots[k] - 1)]);
  }
  Matrix p = Matrix::Zero(rows, rows);
  for (int64_t c = 0; c < rows; ++c) {
    p(order[static_cast<size_t>(c)], c) = 1;
  }
  return p;
}

void write_factors(const Matrix& lu, const Batch& batch, int64_t i, Tensor& l, Tensor& u) {
  const int64_t k = std::min(lu.rows(), lu.cols());
  write(l, batch, i, triangle_of(lu.leftCols(k), Triangle::kLower, true));
  write(u, batch, i, triangle_of(lu.topRows(k), Triangle::kUpper, false));
}

}  // namespace

Status linalg_lu_factor_ex(KernelContext& context, const Tensor& a, bool pivot, bool check_errors,
                           Tensor& lu, Tensor& pivots, Tensor& info) {
  CRESSET_TRY(want_float(context, a, "A"));
  CRESSET_TRY(want_pivoting(context, pivot));
  const Batch batch = batch_of(a);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix m = read(a, batch, i);
    Pivots order;
    const int64_t at = factor_lu(m, order);
    write(lu, batch, i, m);
    write_pivots(pivots, batch, i, order);
    write(info, batch, i, static_cast<double>(at));
    return check_errors && at != 0 ? singular(context, i, at) : Status::kOk;
  });
}

Status linalg_lu(KernelContext& context, const Tensor& a, bool pivot, Tensor& p, Tensor& l,
                 Tensor& u) {
  CRESSET_TRY(want_float(context, a, "A"));
  CRESSET_TRY(want_pivoting(context, pivot));
  const Batch batch = batch_of(a);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix m = read(a, batch, i);
    Pivots order;
    factor_lu(m, order);
    write(p, batch, i, permutation(order, m.rows()));
    write_factors(m, batch, i, l, u);
    return Status::kOk;
  });
}

Status lu_unpack(KernelContext& context, const Tensor& lu_data, const Tensor& lu_pivots,
                 bool unpack_data, bool unpack_pivots, Tensor& p, Tensor& l, Tensor& u) {
  CRESSET_TRY(want_float(context, lu_data, "LU_data"));
  if (unpack_pivots && lu_pivots.dtype() != DType::kInt32) {
    return context.fail(Status::kInvalidType, "LU_pivots is {}; int32 is expected",
                        lu_pivots.dtype());
  }
  const Batch batch = batch_of(lu_data);
  return for_each_matrix(context, batch, [&](int64_t i) {
    if (unpack_pivots) {
      Pivots pivots;
      const int64_t rows = lu_data.size(lu_data.rank() - 2);
      CRESSET_TRY(read_pivots(context, lu_pivots, batch, i, rows, pivots));
      write(p, batch, i, permutation(pivots, rows));
    }
    if (unpack_data) {
      write_factors(read(lu_data, batch, i), batch, i, l, u);
    }
    return Status::kOk;
  });
}

Status linalg_lu_solve(KernelContext& context, const Tensor& lu, const Tensor& pivots,
                       const Tensor& b, bool left, bool adjoint, Tensor& out) {
  CRESSET_TRY(want_float(context, lu, "LU"));
  const Batch batch = batch_of(out);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix factors = read(lu, batch, i);
    Pivots order;
    CRESSET_TRY(read_pivots(context, pivots, batch, i, factors.rows(), order));
    Matrix x = read(b, batch, i);
    if (!left) {
      x = x.transpose().eval();
    }
    solve_lu(factors, order, adjoint == left, x);
    write(out, batch, i, left ? x : Matrix(x.transpose()));
    return Status::kOk;
  });
}

Status _linalg_solve_ex(KernelContext& context, const Tensor& a, const Tensor& b, bool left,
                        bool check_errors, Tensor& result, Tensor& lu, Tensor& pivots,
                        Tensor& info) {
  CRESSET_TRY(want_float(context, a, "A"));
  // The factors of each matrix of A once, then the solutions of the broadcast batch.
  CRESSET_TRY(linalg_lu_factor_ex(context, a, true, check_errors, lu, pivots, info));
  // A list of vectors has the sizes of A but the last.
  bool vectors = b.rank() == 1 || b.rank() + 1 == a.rank();
  for (size_t d = 0; vectors && b.rank() > 1 && d < b.rank(); ++d) {
    vectors = b.size(d) == a.size(d);
  }
  const size_t inner = vectors ? 1 : 2;
  const Batch batch = batch_of(result, inner);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix factors = read(a, batch, i);
    Pivots order;
    factor_lu(factors, order);
    Matrix x = read(b, batch, i, inner);
    if (!left && !vectors) {
      x = x.transpose().eval();
    }
    solve_lu(factors, order, !left, x);
    write(result, batch, i, left || vectors ? x : Matrix(x.transpose()), inner);
    return Status::kOk;
  });
}

Status linalg_inv_ex(KernelContext& context, const Tensor& a, bool check_errors, Tensor& inverse,
                     Tensor& info) {
  CRESSET_TRY(want_float(context, a, "A"));
  const Batch batch = batch_of(a);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix m = read(a, batch, i);
    Pivots order;
    const int64_t at = factor_lu(m, order);
    Matrix x = Matrix::Identity(m.rows(), m.rows());
    solve_lu(m, order, false, x);
    write(inverse, batch, i, x);
    write(info, batch, i, static_cast<double>(at));
    return check_errors && at != 0 ? singular(context, i, at) : Status::kOk;
  });
}

namespace {

// Factors each matrix and writes the factors; f(i, sign of the permutation, factors) gives the
// rest. PyTorch factors the transpose of matrices that lie row-major; the factors are results.
template <class F>
Status for_each_determinant(KernelContext& context, const Tensor& a, Tensor& lu, Tensor& pivots,
                            F f) {
  CRESSET_TRY(want_float(context, a, "A"));
  const Batch batch = batch_of(a);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix given = read(a, batch, i);
    Matrix m = a.is_contiguous() ? Matrix(given.transpose()) : given;
    Pivots order;
    factor_lu(m, order);
    f(batch, i, sign_of(order), m);
    write(lu, batch, i, m);
    write_pivots(pivots, batch, i, order);
    return Status::kOk;
  });
}

}  // namespace

Status _linalg_det(KernelContext& context, const Tensor& a, Tensor& result, Tensor& lu,
                   Tensor& pivots) {
  return for_each_determinant(context, a, lu, pivots,
                              [&](const Batch& batch, int64_t i, double sign, const Matrix& m) {
                                double product = sign;
                                for (int64_t k = 0; k < m.rows(); ++k) {
                                  product *= m(k, k);
                                }
                                write(result, batch, i, product);
                              });
}

Status _linalg_slogdet(KernelContext& context, const Tensor& a, Tensor& sign, Tensor& logabsdet,
                       Tensor& lu, Tensor& pivots) {
  return for_each_determinant(
      context, a, lu, pivots,
      [&](const Batch& batch, int64_t i, double direction, const Matrix& m) {
        double log = 0;
        for (int64_t k = 0; k < m.rows(); ++k) {
          const double u = m(k, k);
          direction *= u > 0 ? 1.0 : u < 0 ? -1.0 : u;  // 0 and NaN as they are
          log += std::log(std::abs(u));
        }
        write(sign, batch, i, direction);
        write(logabsdet, batch, i, log);
      });
}

}  // namespace cresset::kernels::numerics
