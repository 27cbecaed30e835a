// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/kernel_context.h"
#include "core/scalar.h"
#include "kernels/common/elementwise.h"

// Arithmetic of one element in the types that compute: int64_t wraps, float and double follow IEEE
// 754. Where a divisor of 0 is an error for integers, the functions of integers give 0 and the
// caller has looked for it (ZeroDivisor).
namespace cresset::kernels {

inline int64_t wrap(uint64_t bits) { return static_cast<int64_t>(bits); }

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return wrap(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}
template <class T>
T minus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return wrap(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  } else {
    return a - b;
  }
}
template <class T>
T times(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return wrap(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

// a / b rounded toward zero.
template <class T>
T quotient_trunc(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return b == 0 ? 0 : b == -1 ? minus<T>(0, a) : a / b;
  } else {
    return std::trunc(a / b);
  }
}

// What is left of a after quotient_trunc: of a's sign.
template <class T>
T rest_trunc(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return b == 0 || b == -1 ? 0 : a % b;
  } else {
    return std::fmod(a, b);
  }
}

// What is left of a after quotient_floor: of b's sign, as in Python.
template <class T>
T rest_floor(T a, T b) {
  const T rest = rest_trunc(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// a / b rounded down. Floats as Python's: the quotient of a without its rest, so that it is exact
// where rounding of a / b would pass a whole number.
template <class T>
T quotient_floor(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T quotient = quotient_trunc(a, b);
    return rest_trunc(a, b) != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  } else {
    if (b == 0) {
      return a / b;
    }
    const T rest = std::fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) {
      quotient -= 1;
    }
    if (quotient == 0) {
      return std::copysign(T(0), a / b);
    }
    const T whole = std::floor(quotient);
    return quotient - whole > T(0.5) ? whole + 1 : whole;
  }
}

// base to the exponent. Integers wrap; to a negative exponent they are 0 except for 1 and -1.
template <class T>
T power(T base, T exponent) {
  if constexpr (std::is_integral_v<T>) {
    if (exponent < 0) {
      return base == 1 ? 1 : base == -1 ? ((exponent & 1) != 0 ? -1 : 1) : 0;
    }
    uint64_t result = 1;
    uint64_t square = static_cast<uint64_t>(base);
    for (; exponent != 0; exponent >>= 1) {
      result *= (exponent & 1) != 0 ? square : 1;
      square *= square;
    }
    return wrap(result);
  } else {
    return std::pow(base, exponent);
  }
}

// The greater and the smaller; NaN where either is NaN.
template <class T>
T greater_of(T a, T b) {
  return a > b || a != a ? a : b;
}
template <class T>
T smaller_of(T a, T b) {
  return a < b || a != a ? a : b;
}

// Notes whether an integer divisor was 0, which PyTorch refuses.
class ZeroDivisor {
 public:
  template <class T>
  T check(T divisor) {
    if constexpr (std::is_integral_v<T>) {
      seen_ |= divisor == 0;
    }
    return divisor;
  }
  // `status`, or a failure of it where one was seen.
  Status finish(KernelContext& context, Status status) const {
    return ok(status) && seen_
               ? context.fail(Status::kInvalidArgument, "an integer is divided by zero")
               : status;
  }

 private:
  bool seen_ = false;
};

// `alpha` times the second operand: integers take no float alpha, bools only bools.
Status check_alpha(KernelContext& context, Scalar alpha, DType dtype);

// out = a + alpha * b, out = a - alpha * b.
Status add_scaled(KernelContext& context, const Operand& a, const Operand& b, Scalar alpha,
                  Tensor& out);
Status subtract_scaled(KernelContext& context, const Operand& a, const Operand& b, Scalar alpha,
                       Tensor& out);

// out = a / b rounded as `mode` says: null not at all, "trunc" or "floor".
Status divide(KernelContext& context, const Operand& a, const Operand& b, const char* mode,
              Tensor& out);
Status divide_floor(KernelContext& context, const Operand& a, const Operand& b, Tensor& out);

}  // namespace cresset::kernels
