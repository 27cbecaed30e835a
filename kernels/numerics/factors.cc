// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/numerics/factors.h"

#include <algorithm>
#include <cmath>

namespace cresset::kernels::numerics {

int64_t factor_lu(Matrix& a, Pivots& pivots) {
  const int64_t steps = std::min(a.rows(), a.cols());
  int64_t singular = 0;
  pivots.resize(static_cast<size_t>(steps));
  for (int64_t k = 0; k < steps; ++k) {
    int64_t best = k;
    for (int64_t r = k + 1; r < a.rows(); ++r) {
      best = std::abs(a(r, k)) > std::abs(a(best, k)) ? r : best;
    }
    pivots[static_cast<size_t>(k)] = best + 1;
    if (best != k) {
      a.row(k).swap(a.row(best));
    }
    const int64_t below = a.rows() - k - 1, right = a.cols() - k - 1;
    if (a(k, k) == 0) {
      singular = singular == 0 ? k + 1 : singular;
      continue;
    }
    a.col(k).tail(below) /= a(k, k);
    for (int64_t c = a.cols() - right; c < a.cols(); ++c) {
      a.col(c).tail(below) -= a(k, c) * a.col(k).tail(below);
    }
  }
  return singular;
}

void solve_lu(const Matrix& lu, const Pivots& pivots, bool transposed, Matrix& b) {
  const int64_t n = static_cast<int64_t>(pivots.size());
  const auto swap = [&](int64_t k) {
    const int64_t other = pivots[static_cast<size_t>(k)] - 1;
    if (other != k) {
      b.row(k).swap(b.row(other));
    }
  };
  if (transposed) {
    const Matrix flipped = lu.transpose();
    solve_triangle(flipped, Triangle::kLower, false, b);
    solve_triangle(flipped, Triangle::kUpper, true, b);
    for (int64_t k = n; k-- > 0;) {
      swap(k);
    }
    return;
  }
  for (int64_t k = 0; k < n; ++k) {
    swap(k);
  }
  solve_triangle(lu, Triangle::kLower, true, b);
  solve_triangle(lu, Triangle::kUpper, false, b);
}

Status read_pivots(KernelContext& context, const Tensor& tensor, const Batch& batch, int64_t i,
                   int64_t rows, Pivots& pivots) {
  const Matrix values = read(tensor, batch, i, 1);
  pivots.assign(values.data(), values.data() + values.size());
  for (const int64_t pivot : pivots) {
    if (pivot < 1 || pivot > rows) {
      return context.fail(Status::kInvalidArgument, "pivots: {} is out of range [1, {}]", pivot,
                          rows);
    }
  }
  return Status::kOk;
}

void write_pivots(Tensor& tensor, const Batch& batch, int64_t i, const Pivots& pivots) {
  Matrix values(static_cast<int64_t>(pivots.size()), 1);
  std::copy(pivots.begin(), pivots.end(), values.data());
  write(tensor, batch, i, values, 1);
}

double sign_of(const Pivots& pivots) {
  double sign = 1;
  for (size_t k = 0; k < pivots.size(); ++k) {
    sign = pivots[k] == static_cast<int64_t>(k) + 1 ? sign : -sign;
  }
  return sign;
}

int64_t factor_cholesky(Matrix& a) {
  const int64_t n = a.rows();
  int64_t failed = 0;
  for (int64_t k = 0; k < n && failed == 0; ++k) {
    const double pivot = a(k, k);
    if (!(pivot > 0)) {
      failed = k + 1;
      break;
    }
    const int64_t below = n - k - 1;
    a(k, k) = std::sqrt(pivot);
    a.col(k).tail(below) /= a(k, k);
    for (int64_t c = k + 1; c < n; ++c) {
      a.col(c).tail(n - c) -= a(c, k) * a.col(k).tail(n - c);
    }
  }
  for (int64_t c = 1; c < n; ++c) {
    a.col(c).head(c).setZero();
  }
  return failed;
}

Matrix product(const Matrix& a, const Matrix& b) { return a * b; }

void solve_triangle(const Matrix& a, Triangle triangle, bool unit, Matrix& b) {
  const int64_t n = a.rows();
  for (int64_t c = 0; c < b.cols(); ++c) {
    auto x = b.col(c);
    for (int64_t step = 0; step < n; ++step) {
      const int64_t k = triangle == Triangle::kLower ? step : n - 1 - step;
      x(k) = unit ? x(k) : x(k) / a(k, k);
      if (triangle == Triangle::kLower) {
        x.tail(n - k - 1) -= x(k) * a.col(k).tail(n - k - 1);
      } else {
        x.head(k) -= x(k) * a.col(k).head(k);
      }
    }
  }
}

Matrix triangle_of(const Matrix& a, Triangle triangle, bool unit) {
  Matrix result = a;
  for (int64_t c = 0; c < a.cols(); ++c) {
    for (int64_t r = 0; r < a.rows(); ++r) {
      const bool kept = triangle == Triangle::kLower ? r >= c : r <= c;
      result(r, c) = r == c && unit ? 1 : kept ? a(r, c) : 0;
    }
  }
  return result;
}

void factor_qr(Matrix& a, Column& tau) {
  const int64_t steps = std::min(a.rows(), a.cols());
  tau = Column::Zero(steps);
  for (int64_t k = 0; k < steps; ++k) {
    const int64_t below = a.rows() - k - 1;
    const double alpha = a(k, k);
    const double rest = a.col(k).tail(below).stableNorm();
    if (rest == 0) {
      continue;
    }
    const double beta = -std::copysign(std::hypot(alpha, rest), alpha);
    tau(k) = (beta - alpha) / beta;
    a.col(k).tail(below) /= alpha - beta;
    a(k, k) = beta;
    for (int64_t c = k + 1; c < a.cols(); ++c) {
      const double w = tau(k) * (a(k, c) + a.col(k).tail(below).dot(a.col(c).tail(below)));
      a(k, c) -= w;
      a.col(c).tail(below) -= w * a.col(k).tail(below);
    }
  }
}

void apply_q(const Matrix& a, const Column& tau, bool transposed, Matrix& m) {
  const int64_t steps = tau.size();
  for (int64_t step = 0; step < steps; ++step) {
    // Q is the product of the reflections in order; each is its own transpose.
    const int64_t k = transposed ? step : steps - 1 - step;
    const int64_t below = a.rows() - k - 1;
    for (int64_t c = 0; c < m.cols(); ++c) {
      const double w = tau(k) * (m(k, c) + a.col(k).tail(below).dot(m.col(c).tail(below)));
      m(k, c) -= w;
      m.col(c).tail(below) -= w * a.col(k).tail(below);
    }
  }
}

}  // namespace cresset::kernels::numerics
