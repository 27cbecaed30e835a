// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

// Orthogonal polynomials by their recurrences, in the tensors' own precision: where they overflow
// is part of the result. A negative degree gives 0; the degree is cut to a whole number.
namespace cresset::kernels::numerics {

namespace {

// p_0 = 1, p_1 = first, p_k+1 = next(k, p_k, p_k-1), until NaN.
template <class T, class Next>
T recur(int64_t n, T first, Next next) {
  T before = 1, now = first;
  if (n == 0) {
    return before;
  }
  for (int64_t k = 1; k < n && !std::isnan(now); ++k) {
    const T after = next(static_cast<T>(k), now, before);
    before = now;
    now = after;
  }
  return now;
}

template <class T>
T chebyshev(int64_t n, T x, T first) {
  return recur(n, first, [x](T, T now, T before) { return (x + x) * now - before; });
}

template <class T>
T signed_by(int64_t n, T x, T value) {
  return x > 0 || n % 2 == 0 ? value : -value;
}

template <class T>
T count(int64_t n) {
  return static_cast<T>(n);
}

struct ChebyshevT {
  template <class T>
  static T of(T x, int64_t n) {
    if (std::abs(x) == 1) {
      return signed_by<T>(n, x, 1);
    }
    if (n > 6 && std::abs(x) < 1) {
      return std::cos(count<T>(n) * std::acos(x));
    }
    return chebyshev<T>(n, x, x);
  }
};

struct ChebyshevU {
  template <class T>
  static T of(T x, int64_t n) {
    if (std::abs(x) == 1) {
      return signed_by<T>(n, x, count<T>(n + 1));
    }
    if (n > 8 && std::abs(x) < 1) {
      const T angle = std::acos(x);
      return std::sin(angle) != 0 ? std::sin(count<T>(n + 1) * angle) / std::sin(angle)
                                  : count<T>(n + 1) * std::cos(count<T>(n + 1) * angle) / x;
    }
    return chebyshev<T>(n, x, x + x);
  }
};

struct ChebyshevV {
  template <class T>
  static T of(T x, int64_t n) {
    if (std::abs(x) == 1) {
      return x > 0 ? T(1) : signed_by<T>(n, x, count<T>(n + n + 1));
    }
    if (n > 8 && std::abs(x) < 1) {
      const T angle = std::acos(x);
      if (std::sin(angle / 2) != 1) {
        return std::cos((count<T>(n) + T(0.5)) * angle) / std::cos(angle / 2);
      }
      return signed_by<T>(n, -1, count<T>(n + n + 1));
    }
    return chebyshev<T>(n, x, x + x - 1);
  }
};

struct ChebyshevW {
  template <class T>
  static T of(T x, int64_t n) {
    if (std::abs(x) == 1) {
      return x > 0 ? count<T>(n + n + 1) : signed_by<T>(n, x, 1);
    }
    if (n > 8 && std::abs(x) < 1) {
      const T angle = std::acos(x);
      if (std::cos(angle / 2) != 1) {
        return std::sin((count<T>(n) + T(0.5)) * angle) / std::sin(angle / 2);
      }
      return x > 0 ? count<T>(n + n + 1) : signed_by<T>(n, x, 1);
    }
    return chebyshev<T>(n, x, x + x + 1);
  }
};

// A polynomial of [-1, 1] moved to [0, 1].
template <class Polynomial>
struct Shifted {
  template <class T>
  static T of(T x, int64_t n) {
    return Polynomial::of(x + x - 1, n);
  }
};

// Beyond these degrees PyTorch gives NaN.
template <class T>
constexpr int64_t kHermiteLimit = std::is_same_v<T, float> ? 128 : 512;

struct HermiteH {
  template <class T>
  static T of(T x, int64_t n) {
    if (n > kHermiteLimit<T>) {
      return std::numeric_limits<T>::quiet_NaN();
    }
    return recur(n, x + x, [x](T k, T now, T before) { return (x + x) * now - (k + k) * before; });
  }
};

struct HermiteHe {
  template <class T>
  static T of(T x, int64_t n) {
    if (n > kHermiteLimit<T>) {
      return std::numeric_limits<T>::quiet_NaN();
    }
    return recur(n, x, [x](T k, T now, T before) { return x * now - k * before; });
  }
};

struct LaguerreL {
  template <class T>
  static T of(T x, int64_t n) {
    if (x == 0) {
      return 1;
    }
    return recur(n, 1 - x, [x](T k, T now, T before) {
      return ((k + k + (1 - x)) * now - k * before) / (k + 1);
    });
  }
};

struct LegendreP {
  template <class T>
  static T of(T x, int64_t n) {
    if (std::abs(x) == 1) {
      return signed_by<T>(n, x, 1);
    }
    return recur(
        n, x, [x](T k, T now, T before) { return ((k + k + 1) * x * now - k * before) / (k + 1); });
  }
};

template <class T>
int64_t degree(T n) {
  constexpr T kLimit = 9.2e18f;
  return n > -kLimit && n < kLimit ? static_cast<int64_t>(n) : -1;
}

template <class Polynomial>
Status evaluate(KernelContext& context, const Tensor& x, const Tensor& n, Tensor& out) {
  return binary_floating(context, x, n, out, [](auto at, auto order) {
    using T = decltype(at);
    const int64_t whole = degree(order);
    return whole < 0 ? T(0) : Polynomial::of(at, whole);
  });
}

}  // namespace

#define POLYNOMIAL(id, ...)                                                          \
  Status id(KernelContext& context, const Tensor& x, const Tensor& n, Tensor& out) { \
    return evaluate<__VA_ARGS__>(context, x, n, out);                                \
  }
POLYNOMIAL(special_chebyshev_polynomial_t, ChebyshevT)
POLYNOMIAL(special_chebyshev_polynomial_u, ChebyshevU)
POLYNOMIAL(special_chebyshev_polynomial_v, ChebyshevV)
POLYNOMIAL(special_chebyshev_polynomial_w, ChebyshevW)
POLYNOMIAL(special_hermite_polynomial_h, HermiteH)
POLYNOMIAL(special_hermite_polynomial_he, HermiteHe)
POLYNOMIAL(special_laguerre_polynomial_l, LaguerreL)
POLYNOMIAL(special_legendre_polynomial_p, LegendreP)
POLYNOMIAL(special_shifted_chebyshev_polynomial_t, Shifted<ChebyshevT>)
POLYNOMIAL(special_shifted_chebyshev_polynomial_u, Shifted<ChebyshevU>)
POLYNOMIAL(special_shifted_chebyshev_polynomial_v, Shifted<ChebyshevV>)
POLYNOMIAL(special_shifted_chebyshev_polynomial_w, Shifted<ChebyshevW>)
#undef POLYNOMIAL

}  // namespace cresset::kernels::numerics
