// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/numerics/boost_policy.h"
#include "kernels/numerics/functions.h"

// The error function's family.
namespace cresset::kernels::numerics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double erfinv_of(double x) {
  if (!(std::abs(x) < 1)) {
    return std::abs(x) == 1 ? std::copysign(kInfinity, x) : kNaN;
  }
  return x == 0 ? x : boost::math::erf_inv(x, Quiet());
}

double ndtri_of(double x) {
  if (x == 0 || x == 1) {
    return x == 0 ? -kInfinity : kInfinity;
  }
  return x > 0 && x < 1 ? -std::numbers::sqrt2 * boost::math::erfc_inv(2 * x, Quiet()) : kNaN;
}

double log_ndtr_of(double x) {
  const double t = x / std::numbers::sqrt2;
  return x < -1 ? std::log(scaled_erfc(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}

}  // namespace

double scaled_erfc(double x) {
  if (x < 25) {
    // exp of the square in two parts: its rounding error would be a relative error of the result.
    const double square = x * x;
    const double rest = std::fma(x, x, -square);
    const double power = std::exp(square);
    return std::isinf(power) ? kInfinity : power * (1 + rest) * std::erfc(x);
  }
  const double z = 1 / (x * x);
  return std::numbers::inv_sqrtpi / x *
         (1 - z / 2 * (1 - 3 * z / 2 * (1 - 5 * z / 2 * (1 - 7 * z / 2))));
}

CRESSET_FUNCTION1(erfinv, erfinv_of)
CRESSET_FUNCTION1(special_erfcx, scaled_erfc)
CRESSET_FUNCTION1(special_log_ndtr, log_ndtr_of)
CRESSET_FUNCTION1(special_ndtri, ndtri_of)

}  // namespace cresset::kernels::numerics
