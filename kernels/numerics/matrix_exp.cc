// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/kernel.h"
#include "kernels/numerics/factors.h"

namespace cresset::kernels::numerics {

namespace {

// Higham's scaling and squaring with the Pade approximant of degree 13.
Matrix exponential(Matrix a) {
  constexpr double kLargestNorm = 5.371920351148152;
  constexpr double kB[] = {64764752532480000,
                           32382376266240000,
                           7771770303897600,
                           1187353796428800,
                           129060195264000,
                           10559470521600,
                           670442572800,
                           33522128640,
                           1323241920,
                           40840800,
                           960960,
                           16380,
                           182,
                           1};
  const double norm = a.size() == 0 ? 0 : a.cwiseAbs().colwise().sum().maxCoeff();
  if (!std::isfinite(norm)) {
    return Matrix::Constant(a.rows(), a.cols(), std::nan(""));
  }
  const int squarings =
      norm > kLargestNorm ? static_cast<int>(std::ceil(std::log2(norm / kLargestNorm))) : 0;
  a /= std::exp2(squarings);
  const Matrix one = Matrix::Identity(a.rows(), a.rows());
  const Matrix a2 = product(a, a), a4 = product(a2, a2), a6 = product(a4, a2);
  const auto sum = [&](int k) -> Matrix {
    return kB[k + 6] * a6 + kB[k + 4] * a4 + kB[k + 2] * a2 + kB[k] * one;
  };
  const auto top = [&](int k) -> Matrix { return kB[k + 4] * a6 + kB[k + 2] * a4 + kB[k] * a2; };
  const Matrix odd = product(a, product(a6, top(9)) + sum(1));
  const Matrix even = product(a6, top(8)) + sum(0);
  Matrix factors = even - odd;
  Matrix result = even + odd;
  Pivots pivots;
  factor_lu(factors, pivots);
  solve_lu(factors, pivots, false, result);
  for (int k = 0; k < squarings; ++k) {
    result = product(result, result);
  }
  return result;
}

}  // namespace

// out = the exponential of each matrix; 16-bit floats as well.
Status linalg_matrix_exp(KernelContext& context, const Tensor& self, Tensor& out) {
  if (!is_floating(self.dtype())) {
    return context.fail(Status::kInvalidType, "self is {}; a float dtype is expected",
                        self.dtype());
  }
  const Batch batch = batch_of(self);
  return for_each_matrix(context, batch, [&](int64_t i) {
    write(out, batch, i, exponential(read(self, batch, i)));
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::numerics
