// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/low_bits.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantizer/decibels.h"

namespace cresset::quantizer {

namespace {

// More columns would take minutes.
constexpr size_t kMostColumns = 2048;
// Of the mean of the moments' diagonal: what keeps them invertible.
constexpr double kDamping = 0.01;

struct Steps {
  double low, high;

  explicit Steps(int bits)
      : low(bits == 8 ? -127 : -(1 << (bits - 1))), high((1 << (bits - 1)) - 1) {}
  double nearest(double weight, double scale) const {
    return std::clamp(std::nearbyint(weight / scale), low, high);
  }
  double plain_scale(const double* weights, size_t count) const {
    double most = 0;
    for (size_t k = 0; k < count; ++k) {
      most = std::max(most, std::abs(weights[k]));
    }
    return most == 0 ? 1 : static_cast<double>(static_cast<float>(most / ((high - low) / 2)));
  }
  // The scale of least squared error; `importance` weighs the columns.
  double best_scale(const double* weights, const double* importance, size_t count) const {
    const double plain = plain_scale(weights, count);
    double best = plain, least = HUGE_VAL;
    for (int i = 0; i <= 70; ++i) {
      const double scale = static_cast<double>(static_cast<float>(plain * (0.45 + 0.01 * i)));
      double error = 0;
      for (size_t k = 0; k < count; ++k) {
        const double e = weights[k] - nearest(weights[k], scale) * scale;
        error += importance[k] * e * e;
      }
      if (error < least) {
        least = error;
        best = scale;
      }
    }
    return best;
  }
};

using Matrix = std::vector<double>;  // n x n, row-major

// The lower triangle L of a positive definite matrix L * transposed(L); false where it is not.
bool factorize(Matrix* matrix, size_t n) {
  Matrix& a = *matrix;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; ++k) {
        sum -= a[i * n + k] * a[j * n + k];
      }
      if (i == j && !(sum > 0)) {
        return false;
      }
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
    std::fill(a.begin() + static_cast<ptrdiff_t>(i * n + i + 1),
              a.begin() + static_cast<ptrdiff_t>((i + 1) * n), 0.0);
  }
  return true;
}

// The inverse of a lower triangle.
Matrix inverse_of_triangle(const Matrix& l, size_t n) {
  Matrix inverse(n * n, 0);
  for (size_t i = 0; i < n; ++i) {
    double* const row = &inverse[i * n];
    for (size_t k = 0; k < i; ++k) {
      for (size_t j = 0; j <= k; ++j) {
        row[j] -= l[i * n + k] * inverse[k * n + j];
      }
    }
    row[i] = 1;
    for (size_t j = 0; j <= i; ++j) {
      row[j] /= l[i * n + i];
    }
  }
  return inverse;
}

// Row k, from the diagonal on, says how the columns behind k make up for an error in k. Empty where
// the moments do not tell.
Matrix compensation(const Matrix& moments, size_t n) {
  Matrix h = moments;
  double trace = 0;
  for (size_t k = 0; k < n; ++k) {
    trace += h[k * n + k];
  }
  for (size_t k = 0; k < n; ++k) {
    h[k * n + k] += kDamping * trace / static_cast<double>(n);
  }
  if (!factorize(&h, n)) {
    return {};
  }
  const Matrix l = inverse_of_triangle(h, n);
  Matrix inverse(n * n, 0);
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i <= k; ++i) {
      for (size_t j = 0; j <= k; ++j) {
        inverse[i * n + j] += l[k * n + i] * l[k * n + j];
      }
    }
  }
  if (!factorize(&inverse, n)) {
    return {};
  }
  Matrix upper(n * n);
  for (size_t i = 0; i < n * n; ++i) {
    upper[i] = inverse[i % n * n + i / n];
  }
  return upper;
}

double error_power(const std::vector<double>& rows, const LowBitsJob& job) {
  double power = 0;
  for (size_t row = 0; row < job.rows; ++row) {
    const double* const e = &rows[row * job.columns];
    for (size_t i = 0; i < job.columns; ++i) {
      if (job.moments.empty()) {
        power += e[i] * e[i];
        continue;
      }
      double sum = 0;
      for (size_t j = 0; j < job.columns; ++j) {
        sum += job.moments[i * job.columns + j] * e[j];
      }
      power += e[i] * sum;
    }
  }
  return power;
}

class Quantizing {
 public:
  Quantizing(const LowBitsJob& job, bool plain) : job_(job), plain_(plain), steps_(job.bits) {
    weights_.assign(job.weights.begin(), job.weights.end());
    importance_.assign(job.columns, 1);
    const size_t n = job.columns;
    if (plain || job.moments.empty()) {
      return;
    }
    if (n <= kMostColumns) {
      compensation_ = compensation(job.moments, n);
    }
    for (size_t k = 0; k < n; ++k) {
      const double own = compensation_.empty() ? 0 : compensation_[k * n + k];
      importance_[k] = own > 0 ? 1 / (own * own) : job.moments[k * n + k];
    }
  }

  LowBits run() {
    result_.integers.resize(job_.rows * job_.columns);
    for (size_t row = 0; row < job_.rows; ++row) {
      for (size_t first = 0; first < job_.columns; first += job_.group) {
        round_group(row, first, std::min(job_.group, job_.columns - first));
      }
    }
    const std::vector<double> whole(job_.weights.begin(), job_.weights.end());
    std::vector<double> error(whole.size());
    const size_t groups = (job_.columns + job_.group - 1) / job_.group;
    for (size_t i = 0; i < error.size(); ++i) {
      const size_t scale = i / job_.columns * groups + i % job_.columns / job_.group;
      error[i] = whole[i] - result_.integers[i] * static_cast<double>(result_.scales[scale]);
    }
    result_.sqnr_db = decibels(error_power(whole, job_), error_power(error, job_));
    return std::move(result_);
  }

 private:
  void round_group(size_t row, size_t first, size_t count) {
    const size_t n = job_.columns;
    double* const w = &weights_[row * n];
    const double scale = plain_ ? steps_.plain_scale(w + first, count)
                                : steps_.best_scale(w + first, &importance_[first], count);
    result_.scales.push_back(static_cast<float>(scale));
    for (size_t k = first; k < first + count; ++k) {
      const double q = steps_.nearest(w[k], scale);
      result_.integers[row * n + k] = static_cast<int8_t>(q);
      if (compensation_.empty()) {
        continue;
      }
      const double* const along = &compensation_[k * n];
      const double error = (w[k] - q * scale) / along[k];
      for (size_t j = k + 1; j < n; ++j) {
        w[j] -= error * along[j];
      }
    }
  }

  const LowBitsJob& job_;
  bool plain_;
  Steps steps_;
  std::vector<double> weights_;  // what is left to represent
  std::vector<double> importance_;
  Matrix compensation_;
  LowBits result_;
};

}  // namespace

LowBits round_plainly(const LowBitsJob& job) { return Quantizing(job, true).run(); }
LowBits search_low_bits(const LowBitsJob& job) { return Quantizing(job, false).run(); }

}  // namespace cresset::quantizer
