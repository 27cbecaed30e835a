// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/numerics/factors.h"

// What rests on triangles: their systems, Cholesky's factors.
namespace cresset::kernels::numerics {

namespace {

constexpr Triangle side(bool upper) { return upper ? Triangle::kUpper : Triangle::kLower; }

// The lower factor, from a tensor that holds either.
Matrix lower_factor(const Tensor& factor, const Batch& batch, int64_t i, bool upper) {
  Matrix l = read(factor, batch, i);
  return upper ? Matrix(l.transpose()) : l;
}

// L L^T x = b.
void solve_cholesky(const Matrix& l, Matrix& b) {
  solve_triangle(l, Triangle::kLower, false, b);
  solve_triangle(l.transpose(), Triangle::kUpper, false, b);
}

}  // namespace

Status linalg_solve_triangular(KernelContext& context, const Tensor& self, const Tensor& b,
                               bool upper, bool left, bool unitriangular, Tensor& out) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(out);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix a = read(self, batch, i);
    Matrix x = read(b, batch, i);
    if (left) {
      solve_triangle(a, side(upper), unitriangular, x);
      write(out, batch, i, x);
    } else {
      Matrix y = x.transpose();
      solve_triangle(a.transpose(), side(!upper), unitriangular, y);
      write(out, batch, i, y.transpose());
    }
    return Status::kOk;
  });
}

Status triangular_solve(KernelContext& context, const Tensor& self, const Tensor& a, bool upper,
                        bool transpose, bool unitriangular, Tensor& solution,
                        Tensor& cloned_coefficient) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(solution);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix coefficients = read(a, batch, i);
    Matrix x = read(self, batch, i);
    if (transpose) {
      solve_triangle(coefficients.transpose(), side(!upper), unitriangular, x);
    } else {
      solve_triangle(coefficients, side(upper), unitriangular, x);
    }
    write(solution, batch, i, x);
    write(cloned_coefficient, batch, i, coefficients);
    return Status::kOk;
  });
}

Status linalg_cholesky_ex(KernelContext& context, const Tensor& self, bool upper, bool check_errors,
                          Tensor& l, Tensor& info) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(self);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix m = lower_factor(self, batch, i, upper);
    const int64_t at = factor_cholesky(m);
    write(l, batch, i, upper ? Matrix(m.transpose()) : m);
    write(info, batch, i, static_cast<double>(at));
    return check_errors && at != 0
               ? context.fail(Status::kInvalidArgument,
                              "matrix {} of the batch is not positive-definite: its leading minor "
                              "of order {} is not",
                              i, at)
               : Status::kOk;
  });
}

Status cholesky_solve(KernelContext& context, const Tensor& self, const Tensor& input2, bool upper,
                      Tensor& out) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(out);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix x = read(self, batch, i);
    solve_cholesky(lower_factor(input2, batch, i, upper), x);
    write(out, batch, i, x);
    return Status::kOk;
  });
}

Status cholesky_inverse(KernelContext& context, const Tensor& self, bool upper, Tensor& out) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(out);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix l = lower_factor(self, batch, i, upper);
    Matrix x = Matrix::Identity(l.rows(), l.rows());
    solve_cholesky(l, x);
    write(out, batch, i, x);
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::numerics
