// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/common/kernel.h"
#include "kernels/numerics/factors.h"

// What rests on singular values and eigenvalues.
namespace cresset::kernels::numerics {

namespace {

struct Singular {
  Matrix u, v;
  Column values;  // descending
};

// Square matrices only: the reflections are ours.
using Square = Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner>;

enum class Vectors : uint8_t { kNone, kThin, kFull };

Status decompose(KernelContext& context, const Matrix& m, Vectors vectors, Singular& out) {
  if (m.size() == 0) {
    const bool full = vectors == Vectors::kFull;
    out.u = Matrix::Identity(m.rows(), full ? m.rows() : 0);
    out.v = Matrix::Identity(m.cols(), full ? m.cols() : 0);
    out.values.resize(0);
    return Status::kOk;
  }
  if (!m.allFinite()) {
    return context.fail(Status::kInvalidArgument,
                        "A has elements that are not finite: no singular values");
  }
  if (m.rows() < m.cols()) {
    CRESSET_TRY(decompose(context, m.transpose(), vectors, out));
    std::swap(out.u, out.v);
    return Status::kOk;
  }
  Matrix reflections = m;
  Column tau;
  factor_qr(reflections, tau);
  const int64_t side = m.cols();
  const Square svd(triangle_of(reflections.topRows(side), Triangle::kUpper, false),
                   vectors == Vectors::kNone ? 0 : Eigen::ComputeFullU | Eigen::ComputeFullV);
  out.values = svd.singularValues();
  if (vectors != Vectors::kNone) {
    out.v = svd.matrixV();
    out.u = Matrix::Identity(m.rows(), vectors == Vectors::kFull ? m.rows() : side);
    out.u.topLeftCorner(side, side) = svd.matrixU();
    apply_q(reflections, tau, false, out.u);
  }
  return Status::kOk;
}

struct SelfAdjoint {
  Matrix vectors;
  Column values;  // ascending
};

Status decompose(KernelContext& context, const Matrix& lower, bool vectors, SelfAdjoint& out) {
  out.vectors.resize(lower.rows(), lower.rows());
  out.values.resize(lower.rows());
  if (lower.size() == 0) {
    return Status::kOk;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(
      lower, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) {
    return context.fail(Status::kInvalidArgument, "the eigenvalues did not converge");
  }
  out.values = solver.eigenvalues();
  if (vectors) {
    out.vectors = solver.eigenvectors();
  }
  return Status::kOk;
}

double epsilon_of(DType dtype) {
  return dtype == DType::kFloat32 ? std::numeric_limits<float>::epsilon()
                                  : std::numeric_limits<double>::epsilon();
}

}  // namespace

Status _linalg_svd(KernelContext& context, const Tensor& a, bool full_matrices, bool compute_uv,
                   const char* driver, Tensor& u, Tensor& s, Tensor& vh) {
  CRESSET_TRY(want_float(context, a, "A"));
  const Batch batch = batch_of(a);
  return for_each_matrix(context, batch, [&](int64_t i) {
    Singular svd;
    CRESSET_TRY(decompose(context, read(a, batch, i),
                          !compute_uv     ? Vectors::kNone
                          : full_matrices ? Vectors::kFull
                                          : Vectors::kThin,
                          svd));
    write(s, batch, i, svd.values, 1);
    if (compute_uv) {
      write(u, batch, i, svd.u);
      write(vh, batch, i, svd.v.transpose());
    }
    return Status::kOk;
  });
}

Status _linalg_eigh(KernelContext& context, const Tensor& a, const char* uplo, bool compute_v,
                    Tensor& eigenvalues, Tensor& eigenvectors) {
  CRESSET_TRY(want_float(context, a, "A"));
  const bool upper = *uplo == 'U' || *uplo == 'u';
  if (!upper && *uplo != 'L' && *uplo != 'l') {
    return context.fail(Status::kInvalidArgument, "UPLO must be L or U, got '{}'", uplo);
  }
  const Batch batch = batch_of(a);
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix m = read(a, batch, i);
    SelfAdjoint eigen;
    CRESSET_TRY(decompose(context, upper ? Matrix(m.transpose()) : m, compute_v, eigen));
    write(eigenvalues, batch, i, eigen.values, 1);
    if (compute_v) {
      write(eigenvectors, batch, i, eigen.vectors);
    }
    return Status::kOk;
  });
}

Status linalg_pinv_atol_rtol_tensor(KernelContext& context, const Tensor& self, const Tensor* atol,
                                    const Tensor* rtol, bool hermitian, Tensor& out) {
  CRESSET_TRY(want_float(context, self, "self"));
  const Batch batch = batch_of(out);
  const double sides =
      static_cast<double>(std::max(self.size(self.rank() - 2), self.size(self.rank() - 1)));
  return for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix m = read(self, batch, i);
    Singular svd;
    if (hermitian) {
      SelfAdjoint eigen;
      CRESSET_TRY(decompose(context, m, true, eigen));
      svd.values = eigen.values.cwiseAbs();
      svd.v = eigen.vectors;
      svd.u = eigen.vectors;
      for (int64_t k = 0; k < eigen.values.size(); ++k) {
        svd.u.col(k) *= eigen.values(k) < 0 ? -1 : 1;
      }
    } else {
      CRESSET_TRY(decompose(context, m, Vectors::kThin, svd));
    }
    const double absolute = atol == nullptr ? 0 : read(*atol, batch, i, 0)(0, 0);
    const double relative = rtol != nullptr ? read(*rtol, batch, i, 0)(0, 0)
                            : absolute > 0  ? 0
                                            : epsilon_of(self.dtype()) * sides;
    const double greatest = svd.values.size() == 0 ? 0 : svd.values.maxCoeff();
    const double least = std::max(absolute, relative * greatest);
    for (int64_t k = 0; k < svd.values.size(); ++k) {
      svd.v.col(k) *= svd.values(k) > least ? 1 / svd.values(k) : 0;
    }
    write(out, batch, i, product(svd.v, svd.u.transpose()));
    return Status::kOk;
  });
}

namespace {

// Gives an output its sizes: `batch`, then `inner`; [0] where it is absent.
Status size_output(KernelContext& context, Tensor& out, bool present, const Batch& batch,
                   std::initializer_list<int64_t> inner) {
  int32_t sizes[kMaxRank] = {};
  size_t rank = 1;
  if (present) {
    for (rank = 0; rank < batch.rank; ++rank) {
      sizes[rank] = static_cast<int32_t>(batch.sizes[rank]);
    }
    for (const int64_t size : inner) {
      sizes[rank++] = static_cast<int32_t>(size);
    }
  }
  const Status status = out.resize({sizes, rank});
  return ok(status) ? status
                    : context.fail(status, "an output has another rank or no room for its sizes");
}

struct Solver {
  bool ranks = true, values = false, residuals = true;
};

Status solver_of(KernelContext& context, const char* driver, Solver& solver) {
  const auto is = [&](const char* name) {
    return std::strcmp(driver == nullptr ? "gelsy" : driver, name) == 0;
  };
  solver.ranks = !is("gels");
  solver.values = is("gelsd") || is("gelss");
  solver.residuals = !is("gelsy");
  return !solver.ranks || solver.values || !solver.residuals
             ? Status::kOk
             : context.fail(Status::kInvalidArgument,
                            "driver must be gels, gelsy, gelsd or gelss, got '{}'", driver);
}

}  // namespace

// The solution of least norm among those of least error, by singular values for every driver.
// Residuals are the squared errors of each column where there are more rows than columns and all
// ranks are full.
Status linalg_lstsq(KernelContext& context, const Tensor& self, const Tensor& b,
                    Optional<double> rcond, const char* driver, Tensor& solution, Tensor& residuals,
                    Tensor& ranks, Tensor& singular_values) {
  CRESSET_TRY(want_float(context, self, "self"));
  Solver solver;
  CRESSET_TRY(solver_of(context, driver, solver));
  if (self.rank() < 2 || b.rank() < 1 || b.dtype() != self.dtype()) {
    return context.fail(Status::kInvalidArgument,
                        "self must be matrices and b of its dtype, with a dimension at least");
  }
  const int64_t rows = self.size(self.rank() - 2), columns = self.size(self.rank() - 1);
  const size_t inner = b.rank() == 1 || b.rank() + 1 == self.rank() ? 1 : 2;
  if (b.size(b.rank() - inner) != rows) {
    return context.fail(Status::kInvalidArgument, "b has {} rows, self has {}",
                        b.size(b.rank() - inner), rows);
  }
  const Batch batch = batch_of(self);
  const Batch of_b = batch_of(b, inner);
  bool equal = batch.rank == of_b.rank;
  for (size_t d = 0; equal && d < batch.rank; ++d) {
    equal = batch.sizes[d] == of_b.sizes[d];
  }
  if (!equal) {
    return context.fail(Status::kInvalidArgument, "self and b must have the same batch sizes");
  }
  const int64_t count = inner == 2 ? b.size(b.rank() - 1) : 1;
  const int64_t least_side = std::min(rows, columns);
  if (inner == 2) {
    CRESSET_TRY(size_output(context, solution, true, batch, {columns, count}));
  } else {
    CRESSET_TRY(size_output(context, solution, true, batch, {columns}));
  }
  CRESSET_TRY(size_output(context, ranks, solver.ranks, batch, {}));
  CRESSET_TRY(size_output(context, singular_values, solver.values, batch, {least_side}));
  const double cut = rcond.has_value() && *rcond >= 0
                         ? *rcond
                         : epsilon_of(self.dtype()) * static_cast<double>(std::max(rows, columns));
  bool full = true;
  Matrix errors(count, batch.count());
  const Status solved = for_each_matrix(context, batch, [&](int64_t i) {
    const Matrix a = read(self, batch, i);
    const Matrix right = read(b, batch, i, inner);
    Singular svd;
    CRESSET_TRY(decompose(context, a, Vectors::kThin, svd));
    int64_t rank = 0;
    for (int64_t k = 0; k < svd.values.size(); ++k) {
      const bool counts = svd.values(k) > cut * svd.values(0);
      rank += counts ? 1 : 0;
      svd.v.col(k) *= counts ? 1 / svd.values(k) : 0;
    }
    const Matrix x = product(svd.v, product(svd.u.transpose(), right));
    errors.col(i) = (product(a, x) - right).colwise().squaredNorm().transpose();
    full = full && (rank == columns || !solver.ranks);
    write(solution, batch, i, x, inner);
    if (solver.ranks) {
      write(ranks, batch, i, static_cast<double>(rank));
    }
    if (solver.values) {
      write(singular_values, batch, i, svd.values, 1);
    }
    return Status::kOk;
  });
  CRESSET_TRY(solved);
  const bool shown = rows > columns && solver.residuals && full;
  CRESSET_TRY(size_output(context, residuals, shown, batch, {count}));
  if (!shown) {
    return Status::kOk;
  }
  return for_each_matrix(context, batch, [&](int64_t i) {
    write(residuals, batch, i, errors.col(i), 1);
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::numerics
