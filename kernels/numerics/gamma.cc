// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/numerics/boost_policy.h"
#include "kernels/numerics/functions.h"

// The gamma function's family.
namespace cresset::kernels::numerics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool is_whole(double x) { return x == std::floor(x); }

// The C library's writes a global sign; the reentrant one does not.
double lgamma_of(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double digamma_of(double x) {
  if (x == 0) {
    return std::copysign(kInfinity, -x);
  }
  if (std::isnan(x) || (x < 0 && (std::isinf(x) || is_whole(x)))) {
    return kNaN;
  }
  return std::isinf(x) ? x : boost::math::digamma(x, Quiet());
}

double factorial(double n) { return std::tgamma(n + 1); }

// (-1)^(n + 1) n! zeta(n + 1, x)
double polygamma_of(int64_t n, double x) {
  if (n == 0) {
    return digamma_of(x);
  }
  const double order = static_cast<double>(n);
  return (n % 2 == 0 ? -1 : 1) * factorial(order) * zeta(order + 1, x);
}

// Reflected to the left of 1/2 with a sine in the tensor's own precision, which gives PyTorch's
// large but finite values at the poles.
template <class T>
T polygamma_at(int64_t n, T x) {
  if (n == 1 && x == std::numeric_limits<T>::infinity()) {
    return 0;
  }
  if (n != 1 || !(x < 0.5f)) {
    return static_cast<T>(polygamma_of(n, x));
  }
  constexpr T kPi = static_cast<T>(std::numbers::pi);
  const T sine = std::sin(kPi * x);
  return static_cast<T>(kPi * kPi / (sine * sine) - static_cast<T>(zeta(2, 1 - x)));
}

double igamma_p(double a, double x) {
  if (a < 0 || x < 0) {
    return kNaN;
  }
  if (a == 0) {
    return x > 0 ? 1 : kNaN;
  }
  if (x == 0) {
    return 0;
  }
  if (std::isinf(a)) {
    return std::isinf(x) ? kNaN : 0;
  }
  if (std::isinf(x)) {
    return 1;
  }
  return std::isnan(a) || std::isnan(x) ? kNaN : boost::math::gamma_p(a, x, Quiet());
}

double igamma_q(double a, double x) {
  if (a < 0 || x < 0) {
    return kNaN;
  }
  if (a == 0) {
    return x > 0 ? 0 : kNaN;
  }
  if (x == 0) {
    return 1;
  }
  if (std::isinf(a)) {
    return std::isinf(x) ? kNaN : 1;
  }
  if (std::isinf(x)) {
    return 0;
  }
  return std::isnan(a) || std::isnan(x) ? kNaN : boost::math::gamma_q(a, x, Quiet());
}

}  // namespace

// Hurwitz' zeta by Euler and Maclaurin.
double zeta(double s, double q) {
  if (s == 1) {
    return kInfinity;
  }
  if (s < 1) {
    return kNaN;
  }
  if (q <= 0 && is_whole(q)) {
    return kInfinity;
  }
  if (std::isnan(s) || std::isnan(q)) {
    return kNaN;
  }
  if (q <= 0) {
    if (!is_whole(s)) {
      return kNaN;
    }
  }
  // B_2k / (2k)!
  constexpr double kCoefficients[] = {1.0 / 12,         -1.0 / 720,     1.0 / 30240,
                                      -1.0 / 1209600,   1.0 / 47900160, -691.0 / 1307674368000,
                                      1.0 / 74724249600};
  double sum = 0, x = q;
  for (int k = 0; k < 12 || x <= 9; ++k, ++x) {
    const double term = std::pow(x, -s);
    sum += term;
    if (x > 9 && std::abs(term) < 1e-17 * std::abs(sum)) {
      return sum;
    }
  }
  double power = std::pow(x, -s);
  sum += power * x / (s - 1) + power / 2;
  double rising = s;
  power /= x;
  for (int k = 0; k < 7; ++k) {
    const double term = kCoefficients[k] * rising * power;
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) {
      break;
    }
    rising *= (s + 2 * k + 1) * (s + 2 * k + 2);
    power /= x * x;
  }
  return sum;
}

CRESSET_FUNCTION1(digamma, digamma_of)
CRESSET_FUNCTION1(lgamma, lgamma_of)
CRESSET_FUNCTION2(igamma, igamma_p)
CRESSET_FUNCTION2(igammac, igamma_q)
CRESSET_FUNCTION2(special_zeta, zeta)

Status polygamma(KernelContext& context, int64_t n, const Tensor& self, Tensor& out) {
  if (n < 0) {
    return context.fail(Status::kInvalidArgument, "n must not be negative, got {}", n);
  }
  return unary_floating(context, self, out, [n](auto x) { return polygamma_at(n, x); });
}

}  // namespace cresset::kernels::numerics
