// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "kernels/common/kernel.h"
#include "kernels/numerics/factors.h"

// What rests on reflections: QR and products with Q.
namespace cresset::kernels::numerics {

namespace {

// The first `columns` columns of Q.
Matrix columns_of_q(const Matrix& a, const Column& tau, int64_t columns) {
  Matrix q = Matrix::Identity(a.rows(), columns);
  apply_q(a, tau, false, q);
  return q;
}

}  // namespace

Status geqrf(KernelContext& context, const Tensor& self, Tensor& a, Tensor& tau) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(self);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix m = read(self, batch, i);
    Column factors;
    factor_qr(m, factors);
    write(a, batch, i, m);
    write(tau, batch, i, factors, 1);
    return Status::kOk;
  });
}

Status linalg_qr(KernelContext& context, const Tensor& a, const char* mode, Tensor& q, Tensor& r) {
  CRESSET_TRY(want_float(context, a, "A"));
  const bool complete = std::strcmp(mode, "complete") == 0;
  const bool only_r = std::strcmp(mode, "r") == 0;
  const Batch batch = batch_of(a);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Matrix m = read(a, batch, i);
    Column tau;
    factor_qr(m, tau);
    const int64_t size = complete ? m.rows() : std::min(m.rows(), m.cols());
    if (!only_r) {
      write(q, batch, i, columns_of_q(m, tau, size));
    }
    write(r, batch, i, triangle_of(m.topRows(size), Triangle::kUpper, false));
    return Status::kOk;
  });
}

Status linalg_householder_product(KernelContext& context, const Tensor& input, const Tensor& tau,
                                  Tensor& out) {
  CRESSET_TRY(want_float(context, input, "input"));
  const Batch batch = batch_of(input);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix m = read(input, batch, i);
    write(out, batch, i, columns_of_q(m, read(tau, batch, i, 1), m.cols()));
    return Status::kOk;
  });
}

Status ormqr(KernelContext& context, const Tensor& self, const Tensor& input2, const Tensor& input3,
             bool left, bool transpose, Tensor& out) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(self);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix reflections = read(self, batch, i);
    const Column tau = read(input2, batch, i, 1);
    Matrix m = read(input3, batch, i);
    if (left) {
      apply_q(reflections, tau, transpose, m);
      write(out, batch, i, m);
    } else {
      Matrix flipped = m.transpose();
      apply_q(reflections, tau, !transpose, flipped);
      write(out, batch, i, flipped.transpose());
    }
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::numerics
