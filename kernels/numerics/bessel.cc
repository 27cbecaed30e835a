// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <boost/math/special_functions/airy.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "kernels/numerics/boost_policy.h"
#include "kernels/numerics/functions.h"

// Bessel's functions of orders 0 and 1 and Airy's.
namespace cresset::kernels::numerics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// From here on the asymptotic series has the precision of float64.
constexpr double kFar = 40;

// 1 + direction (m - 1) / (8 x) + (m - 1) (m - 9) / (2! (8 x)^2) + ..., m = 4 order^2: what remains
// of I (direction -1) and K (1) for large x beside the exponential and the square root.
double asymptotic(int order, double x, double direction) {
  const double m = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 40; ++k) {
    const double odd = 2 * k - 1;
    term *= direction * (m - odd * odd) / (8 * k * x);
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) {
      break;
    }
  }
  return sum;
}

// exp(-|x|) I_order(x)
double scaled_i(int order, double x) {
  const double far = std::abs(x);
  const double sign = order == 1 && std::signbit(x) ? -1 : 1;
  if (std::isinf(x)) {
    return sign * 0.0;
  }
  if (far > kFar) {
    return sign * asymptotic(order, far, -1) / (std::sqrt(2 * std::numbers::pi) * std::sqrt(far));
  }
  return std::exp(-far) * boost::math::cyl_bessel_i(order, x, Quiet());
}

// I_order(x), infinite from where exp(|x|) is in the tensor's own precision, as PyTorch computes
// it.
template <class T>
T plain_i(int order, T x) {
  if (std::isinf(x)) {
    return std::numeric_limits<T>::quiet_NaN();  // infinity times 0
  }
  const T power = std::exp(std::abs(x));
  const double scaled = scaled_i(order, static_cast<double>(x));
  return std::isinf(power) ? std::copysign(power, order == 1 ? x : T(1))
                           : static_cast<T>(std::exp(std::abs(static_cast<double>(x))) * scaled);
}

// exp(x) K_order(x)
double scaled_k(int order, double x) {
  if (x == 0) {
    return kInfinity;
  }
  if (!(x > 0)) {
    return kNaN;
  }
  if (x > kFar) {
    return std::isinf(x) ? 0
                         : asymptotic(order, x, 1) * std::sqrt(std::numbers::pi / 2) / std::sqrt(x);
  }
  return std::exp(x) * boost::math::cyl_bessel_k(order, x, Quiet());
}

double plain_k(int order, double x) {
  return x > kFar ? std::exp(-x) * scaled_k(order, x)
         : x > 0  ? boost::math::cyl_bessel_k(order, x, Quiet())
                  : scaled_k(order, x);
}

Status modified_i(KernelContext& context, int order, const Tensor& self, Tensor& out) {
  return unary_floating(context, self, out, [order](auto x) { return plain_i(order, x); });
}

double i0e_of(double x) { return scaled_i(0, x); }
double i1e_of(double x) { return scaled_i(1, x); }
double k0_of(double x) { return plain_k(0, x); }
double k1_of(double x) { return plain_k(1, x); }
double k0e_of(double x) { return scaled_k(0, x); }
double k1e_of(double x) { return scaled_k(1, x); }

// The C library's, whose error stays small beside the zeros. Infinity gives NaN, as PyTorch's.
double j0_of(double x) { return std::isinf(x) ? kNaN : ::j0(x); }
double j1_of(double x) { return std::isinf(x) ? kNaN : ::j1(x); }
double y0_of(double x) { return x == 0 ? -kInfinity : x < 0 || std::isinf(x) ? kNaN : ::y0(x); }
double y1_of(double x) { return x == 0 ? -kInfinity : x < 0 || std::isinf(x) ? kNaN : ::y1(x); }

double spherical_j0_of(double x) {
  return std::isinf(x) ? 0 : std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x;
}

double airy_of(double x) {
  if (std::isnan(x) || std::isinf(x)) {
    return kNaN;
  }
  if (std::abs(x) < 1e-16) {
    return 0.35502805388781724;
  }
  return x > 103.892 ? 0 : boost::math::airy_ai(x, Quiet());  // nothing left in float64
}

// Far to the left, where the leading terms have all digits, the phase is rounded to the tensor's
// own precision, as PyTorch's is.
template <class T>
T airy_at(T x) {
  constexpr T kLeft = std::is_same_v<T, float> ? -100 : -1e6;
  if (!(x < kLeft) || std::isinf(x)) {
    return static_cast<T>(airy_of(static_cast<double>(x)));
  }
  const T phase = -2 * x * std::sqrt(-x) / 3;
  const T angle = phase + static_cast<T>(std::numbers::pi / 4);
  const T scale = static_cast<T>(std::numbers::inv_sqrtpi) / std::sqrt(std::sqrt(-x));
  return scale * (std::sin(angle) - std::cos(angle) * (5 / (72 * phase)));
}

}  // namespace

Status i0(KernelContext& context, const Tensor& self, Tensor& out) {
  return modified_i(context, 0, self, out);
}
Status special_i1(KernelContext& context, const Tensor& self, Tensor& out) {
  return modified_i(context, 1, self, out);
}
Status special_modified_bessel_i0(KernelContext& context, const Tensor& self, Tensor& out) {
  return modified_i(context, 0, self, out);
}
Status special_modified_bessel_i1(KernelContext& context, const Tensor& self, Tensor& out) {
  return modified_i(context, 1, self, out);
}
Status special_airy_ai(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary_floating(context, self, out, [](auto x) { return airy_at(x); });
}
CRESSET_FUNCTION1(special_bessel_j0, j0_of)
CRESSET_FUNCTION1(special_bessel_j1, j1_of)
CRESSET_FUNCTION1(special_bessel_y0, y0_of)
CRESSET_FUNCTION1(special_bessel_y1, y1_of)
CRESSET_FUNCTION1(special_i0e, i0e_of)
CRESSET_FUNCTION1(special_i1e, i1e_of)
CRESSET_FUNCTION1(special_modified_bessel_k0, k0_of)
CRESSET_FUNCTION1(special_modified_bessel_k1, k1_of)
CRESSET_FUNCTION1(special_scaled_modified_bessel_k0, k0e_of)
CRESSET_FUNCTION1(special_scaled_modified_bessel_k1, k1e_of)
CRESSET_FUNCTION1(special_spherical_bessel_j0, spherical_j0_of)

}  // namespace cresset::kernels::numerics
