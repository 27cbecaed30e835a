// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <numbers>

#include "compiler/passes/decompositions.h"

// Special functions, by shifting the argument to where an asymptotic series has the precision.
namespace cresset::passes::decompositions {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kShift = 10;

// c[0] + c[1] z + c[2] z^2 ...
Value* polynomial(Builder& b, Value* z, const std::vector<double>& c) {
  Value* sum = b.mul(z, c.back());
  for (size_t i = c.size() - 1; i-- > 0;) {
    sum = b.add(sum, c[i]);
    sum = i > 0 ? b.mul(sum, z) : sum;
  }
  return sum;
}

// Computed in f64: the shifts cancel digits.
Value* precise(Builder& b, size_t i) { return b.cast(b.in(i), DType::kFloat64); }

// For x > 0.
Value* digamma_right(Builder& b, Value* x) {
  Value* sum = nullptr;
  for (int k = 0; k < kShift; ++k) {
    Value* term = b.unary(Op::reciprocal, b.add(x, static_cast<double>(k)));
    sum = sum == nullptr ? term : b.add(sum, term);
  }
  Value* y = b.add(x, static_cast<double>(kShift));
  Value* inverse = b.unary(Op::reciprocal, y);
  Value* z = b.mul(inverse, inverse);
  Value* series =
      b.mul(z, polynomial(b, z, {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132}));
  Value* result = b.sub(b.unary(Op::log, y), b.mul(inverse, 0.5));
  return b.sub(b.sub(result, series), sum);
}

Value* digamma_of(Builder& b, Value* x) {
  Value* left = b.le(x, 0.0);
  Value* mirrored = b.where(left, b.sub(1.0, x), x);
  Value* right = digamma_right(b, mirrored);
  Value* whole = b.call(Op::logical_and, {b.lt(x, 0.0), b.eq(x, b.unary(Op::floor, x))});
  // tan has period 1 here: the fraction keeps the digits.
  Value* fraction = b.sub(x, b.unary(Op::trunc, x));
  Value* reflected = b.sub(right, b.div(kPi, b.unary(Op::tan, b.mul(fraction, kPi))));
  Value* y = b.where(left, reflected, right);
  y = b.where(whole, kNaN, y);
  // The sign of zero decides the sign of the pole.
  return b.where(b.eq(x, 0.0), b.unary(Op::neg, b.unary(Op::reciprocal, x)), y);
}

Value* lgamma_of(Builder& b, Value* x) {
  Value* left = b.lt(x, 0.5);
  Value* z = b.where(left, b.sub(1.0, x), x);
  // log of z (z + 1) ... (z + shift - 1), in two halves against overflow.
  Value* shifted = nullptr;
  for (int k = 0; k < kShift; ++k) {
    Value* term = b.add(z, static_cast<double>(k));
    shifted = shifted == nullptr ? term : b.mul(shifted, term);
  }
  Value* y = b.add(z, static_cast<double>(kShift));
  Value* inverse = b.unary(Op::reciprocal, y);
  Value* square = b.mul(inverse, inverse);
  Value* series = b.mul(
      inverse, polynomial(b, square, {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188}));
  Value* stirling =
      b.add(b.sub(b.mul(b.sub(y, 0.5), b.unary(Op::log, y)), y), 0.5 * std::log(2 * kPi));
  Value* right = b.sub(b.add(stirling, series), b.unary(Op::log, shifted));
  Value* fraction = b.sub(x, b.unary(Op::floor, x));
  Value* sine = b.unary(Op::abs, b.unary(Op::sin, b.mul(fraction, kPi)));
  Value* reflected = b.sub(b.sub(std::log(kPi), b.unary(Op::log, sine)), right);
  Value* result = b.where(left, reflected, right);
  return b.where(b.unary(Op::isinf, x), kInfinity, result);
}

// Hurwitz' zeta for s > 1: Euler and Maclaurin. x <= 0 has poles at whole numbers.
Value* zeta_of(Builder& b, const Argument& s, Value* x) {
  const auto power = [&](Value* base, double more) {
    return is_tensor(s) ? b.pow(base, b.sub(b.unary(Op::neg, s.value()), more))
                        : b.pow(base, -s.number() - more);
  };
  const auto plus = [&](double k) -> Argument {
    return is_tensor(s) ? Argument(b.add(s, k)) : Argument(s.number() + k);
  };
  Value* sum = nullptr;
  for (int k = 0; k < kShift; ++k) {
    Value* term = power(b.add(x, static_cast<double>(k)), 0);
    sum = sum == nullptr ? term : b.add(sum, term);
  }
  Value* y = b.add(x, static_cast<double>(kShift));
  Value* base = power(y, 0);
  sum = b.add(sum, b.div(b.mul(base, y),
                         is_tensor(s) ? Argument(b.sub(s, 1.0)) : Argument(s.number() - 1)));
  sum = b.add(sum, b.mul(base, 0.5));
  // Bernoulli numbers over factorials.
  const double c[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160};
  Value* term = b.mul(b.div(base, y), s);
  for (int k = 0; k < 5; ++k) {
    sum = b.add(sum, b.mul(term, c[k]));
    term = b.mul(b.mul(term, plus(2 * k + 1)), plus(2 * k + 2));
    term = b.div(b.div(term, y), y);
  }
  return sum;
}

// The second derivative of log gamma, step by step as PyTorch takes it in the operand's dtype: near
// the poles the rounding shows.
Value* trigamma_of(Builder& b, Value* x) {
  Value* left = b.lt(x, 0.5);
  Value* sine = b.unary(Op::sin, b.mul(x, kPi));
  Value* pole = b.unary(Op::neg, b.div(kPi * kPi, b.mul(sine, sine)));
  Value* result = b.where(left, pole, 0.0);
  Value* z = b.where(left, b.sub(1.0, x), x);
  for (int i = 0; i < 6; ++i) {
    result = b.add(result, b.unary(Op::reciprocal, b.mul(z, z)));
    z = b.add(z, 1.0);
  }
  Value* inverse = b.unary(Op::reciprocal, z);
  Value* square = b.mul(inverse, inverse);
  Value* series = b.mul(square, polynomial(b, square, {1.0 / 6, -1.0 / 30, 1.0 / 42}));
  series = b.add(b.add(series, b.mul(inverse, 0.5)), 1.0);
  result = b.add(result, b.mul(series, inverse));
  return b.where(left, b.unary(Op::neg, result), result);
}

Values polygamma_of(Builder& b) {
  const int64_t n = b.integer(0);
  if (n == 1) {
    return {trigamma_of(b, b.widened(b.in(1)))};
  }
  Value* x = precise(b, 1);
  if (n == 0) {
    return {digamma_of(b, x)};
  }
  const double factor = (n % 2 == 0 ? -1 : 1) * std::tgamma(static_cast<double>(n) + 1);
  Value* zeta = zeta_of(b, static_cast<double>(n + 1), x);
  Value* pole = b.call(Op::logical_and, {b.le(x, 0.0), b.eq(x, b.unary(Op::floor, x))});
  return {b.mul(b.where(pole, kInfinity, zeta), factor)};
}

}  // namespace

Values digamma(Builder& b) { return {digamma_of(b, precise(b, 0))}; }
Values lgamma(Builder& b) { return {lgamma_of(b, precise(b, 0))}; }
Values polygamma(Builder& b) { return polygamma_of(b); }
Values special_zeta(Builder& b) {
  Value* s = precise(b, 0);
  Value* x = precise(b, 1);
  Value* y = zeta_of(b, s, x);
  Value* pole = b.call(Op::logical_and, {b.le(x, 0.0), b.eq(x, b.unary(Op::floor, x))});
  y = b.where(pole, kInfinity, y);
  y = b.where(b.eq(s, 1.0), kInfinity, y);
  return {b.where(b.lt(s, 1.0), kNaN, y)};
}
Values mvlgamma(Builder& b) {
  Value* x = precise(b, 0);
  const int64_t p = b.integer(1);
  Value* sum = nullptr;
  for (int64_t i = 0; i < p; ++i) {
    Value* term = lgamma_of(b, b.sub(x, static_cast<double>(i) / 2));
    sum = sum == nullptr ? term : b.add(sum, term);
  }
  const double constant = static_cast<double>(p * (p - 1)) / 4 * std::log(kPi);
  return {sum == nullptr ? b.full(x->sizes(), 0.0, DType::kFloat64) : b.add(sum, constant)};
}

Values erfinv(Builder& b) {
  Value* x = precise(b, 0);
  // Winitzki's approximation, then Newton's steps on erf.
  constexpr double kA = 0.147;
  Value* log = b.unary(Op::log, b.mul(b.sub(1.0, x), b.add(x, 1.0)));
  Value* half = b.add(b.mul(log, 0.5), 2 / (kPi * kA));
  Value* root = b.unary(Op::sqrt, b.sub(b.mul(half, half), b.mul(log, 1 / kA)));
  Value* y =
      b.mul(b.unary(Op::sqrt, b.clamp(b.sub(root, half), 0.0, Argument())), b.unary(Op::sign, x));
  for (int i = 0; i < 3; ++i) {
    Value* slope =
        b.mul(b.unary(Op::exp, b.unary(Op::neg, b.mul(y, y))), 2 * std::numbers::inv_sqrtpi);
    y = b.sub(y, b.div(b.sub(b.unary(Op::erf, y), x), slope));
  }
  y = b.where(b.eq(x, 1.0), kInfinity, y);
  return {b.where(b.eq(x, -1.0), -kInfinity, y)};
}

}  // namespace cresset::passes::decompositions
