// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <numbers>

#include "compiler/passes/decompositions.h"

// Elementwise formulas. Halves are computed in f32 where there is more than one step.
namespace cresset::passes::decompositions {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Value* wide(Builder& b, size_t i = 0) { return b.widened(b.in(i)); }
Value* neg(Builder& b, Value* x) { return b.unary(Op::neg, x); }
Value* exp(Builder& b, Value* x) { return b.unary(Op::exp, x); }
Value* sigmoid_of(Builder& b, Value* x) { return b.unary(Op::sigmoid, x); }
Value* log1p_of(Builder& b, Value* x) { return b.unary(Op::log1p, x); }
Value* abs_of(Builder& b, Value* x) { return b.unary(Op::abs, x); }

// log(1 + exp(x)), for any x.
Value* softplus_of(Builder& b, Value* x) {
  return b.add(b.clamp(x, 0, Argument()), log1p_of(b, exp(b, neg(b, abs_of(b, x)))));
}

}  // namespace

Values silu(Builder& b) {
  Value* x = wide(b);
  return {b.mul(x, sigmoid_of(b, x))};
}
Values mish(Builder& b) {
  Value* x = wide(b);
  return {b.mul(x, b.unary(Op::tanh, softplus_of(b, x)))};
}
Values relu(Builder& b) { return {b.clamp(b.in(0), 0, Argument())}; }
Values relu6(Builder& b) { return {b.clamp(b.in(0), 0, 6)}; }
Values hardtanh(Builder& b) { return {b.clamp(b.in(0), b.node().arg(1), b.node().arg(2))}; }
Values hardsigmoid(Builder& b) { return {b.mul(b.clamp(b.add(wide(b), 3.0), 0.0, 6.0), 1.0 / 6)}; }
Values hardswish(Builder& b) {
  Value* x = wide(b);
  return {b.mul(b.mul(x, b.clamp(b.add(x, 3.0), 0.0, 6.0)), 1.0 / 6)};
}
Values gelu(Builder& b) {
  Value* x = wide(b);
  if (b.node().arg(1).string() == "tanh") {
    const double k = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    Value* cubic = b.mul(b.mul(x, x), x);
    Value* inside = b.mul(b.add(x, b.mul(cubic, 0.044715)), k);
    return {b.mul(b.mul(x, 0.5), b.add(b.unary(Op::tanh, inside), 1.0))};
  }
  Value* erf = b.unary(Op::erf, b.mul(x, 1 / std::numbers::sqrt2));
  return {b.mul(b.mul(x, 0.5), b.add(erf, 1.0))};
}
Values leaky_relu(Builder& b) {
  Value* x = b.in(0);
  return {b.where(b.gt(x, 0), x, b.mul(x, b.node().arg(1)))};
}
Values elu(Builder& b) {
  Value* x = wide(b);
  Value* negative = b.mul(b.unary(Op::expm1, b.mul(x, b.number(3))), b.number(1) * b.number(2));
  return {b.where(b.gt(x, 0), b.mul(x, b.number(2)), negative)};
}
Values celu(Builder& b) {
  Value* x = wide(b);
  const double alpha = b.number(1);
  return {b.where(b.gt(x, 0), x, b.mul(b.unary(Op::expm1, b.div(x, alpha)), alpha))};
}
Values selu(Builder& b) {
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  Value* x = wide(b);
  return {b.where(b.gt(x, 0), b.mul(x, kScale), b.mul(b.unary(Op::expm1, x), kAlpha * kScale))};
}
Values softplus(Builder& b) {
  Value* x = wide(b);
  const double beta = b.number(1);
  Value* scaled = b.mul(x, beta);
  return {b.where(b.gt(scaled, b.number(2)), x, b.div(log1p_of(b, exp(b, scaled)), beta))};
}
Values log_sigmoid(Builder& b) {
  Value* x = wide(b);
  return {b.sub(b.clamp(x, Argument(), 0.0), log1p_of(b, exp(b, neg(b, abs_of(b, x)))))};
}
Values log_sigmoid_forward(Builder& b) {
  Value* x = wide(b);
  Value* small = exp(b, neg(b, abs_of(b, x)));
  return {b.sub(b.clamp(x, Argument(), 0.0), log1p_of(b, small)), small};
}
Values hardshrink(Builder& b) {
  Value* x = b.in(0);
  return {b.where(b.le(abs_of(b, x), b.node().arg(1)), 0, x)};
}
Values softshrink(Builder& b) {
  Value* x = b.in(0);
  const double lambda = b.number(1);
  if (lambda < 0) {
    return b.unsupported("a negative lambda");
  }
  Value* small = b.where(b.lt(x, -lambda), b.add(x, lambda), b.mul(x, 0));
  return {b.where(b.gt(x, lambda), b.sub(x, lambda), small)};
}
Values threshold(Builder& b) {
  Value* x = b.in(0);
  return {b.where(b.le(x, b.node().arg(1)), b.node().arg(2), x)};
}
Values prelu(Builder& b) {
  Value* x = b.in(0);
  Value* weight = b.in(1);
  if (weight->rank() == 1 && x->rank() > 1) {
    weight = per_channel(b, weight, x->rank());
  } else if (x->rank() == 0) {
    weight = b.view(weight, {});
  }
  return {b.where(b.gt(x, 0), x, b.mul(x, weight))};
}
Values _prelu_kernel(Builder& b) {
  Value* x = b.in(0);
  return {b.where(b.gt(x, 0), x, b.mul(x, b.in(1)))};
}
Values glu(Builder& b) {
  Value* x = wide(b);
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  const Dim half = ir::floor_div(b.size(x, dim), 2);
  return {b.mul(b.narrow(x, dim, 0, half), sigmoid_of(b, b.narrow(x, dim, half, half)))};
}
Values square(Builder& b) { return {b.mul(b.in(0), b.in(0))}; }
Values rsub_tensor(Builder& b) {
  const Argument& alpha = b.node().arg(2);
  return {b.sub(b.in(1), alpha == Argument(1) ? b.in(0) : b.mul(b.in(0), alpha))};
}
Values rsub_scalar(Builder& b) {
  const Argument& alpha = b.node().arg(2);
  Value* x = alpha == Argument(1) ? b.in(0) : b.mul(b.in(0), alpha);
  return {b.add(b.unary(Op::neg, x), b.node().arg(1))};
}
Values clamp_min(Builder& b) { return {b.clamp(b.in(0), b.node().arg(1), Argument())}; }
Values clamp_max(Builder& b) {
  const Argument& most = b.node().arg(1);
  // The bound takes the elements' type first.
  const bool wraps = b.in(0)->dtype() == DType::kUInt8 && most.is_int();
  return {b.clamp(b.in(0), Argument(), wraps ? Argument(most.integer() & 255) : most)};
}
Values clamp_min_tensor(Builder& b) { return {b.maximum(b.in(0), b.in(1))}; }
Values clamp_max_tensor(Builder& b) { return {b.minimum(b.in(0), b.in(1))}; }
Values clamp_tensor(Builder& b) {
  Value* x = b.in(0);
  x = b.has(1) ? b.maximum(x, b.in(1)) : x;
  return {b.has(2) ? b.minimum(x, b.in(2)) : x};
}
Values sgn(Builder& b) { return {b.unary(Op::sign, b.in(0))}; }
Values positive(Builder& b) { return {b.in(0)}; }
Values frac(Builder& b) { return {b.sub(b.in(0), b.unary(Op::trunc, b.in(0)))}; }
Values exp2(Builder& b) { return {exp(b, b.mul(wide(b), std::numbers::ln2))}; }
Values deg2rad(Builder& b) { return {b.mul(b.in(0), std::numbers::pi / 180)}; }
Values rad2deg(Builder& b) { return {b.mul(b.in(0), 180 / std::numbers::pi)}; }
Values erfc(Builder& b) { return {b.sub(1.0, b.unary(Op::erf, wide(b)))}; }
Values isfinite(Builder& b) {
  Value* x = b.in(0);
  if (is_integral(x->dtype())) {
    return {b.full(x->sizes(), Scalar::of_bool(true), DType::kBool)};
  }
  return {b.lt(abs_of(b, x), kInfinity)};
}
Values isposinf(Builder& b) { return {b.eq(b.in(0), kInfinity)}; }
Values isneginf(Builder& b) { return {b.eq(b.in(0), -kInfinity)}; }
Values isreal(Builder& b) {
  return {b.full(b.in(0)->sizes(), Scalar::of_bool(true), DType::kBool)};
}
Values nan_to_num(Builder& b) {
  Value* x = b.in(0);
  if (is_integral(x->dtype())) {
    return {x};
  }
  const DType dtype = x->dtype();
  const double largest = dtype == DType::kFloat16    ? 65504
                         : dtype == DType::kBFloat16 ? 0x1.FEp127
                         : dtype == DType::kFloat64  ? std::numeric_limits<double>::max()
                                                     : std::numeric_limits<float>::max();
  Value* y = b.where(b.unary(Op::isnan, x), b.has(1) ? b.number(1) : 0.0, x);
  y = b.where(b.eq(x, kInfinity), b.has(2) ? b.number(2) : largest, y);
  return {b.where(b.eq(x, -kInfinity), b.has(3) ? b.number(3) : -largest, y)};
}
Values lerp_scalar(Builder& b) {
  Value* x = wide(b);
  Value* end = wide(b, 1);
  const double weight = b.number(2);
  Value* difference = b.sub(end, x);
  return {std::abs(weight) < 0.5 ? b.add(x, b.mul(difference, weight))
                                 : b.sub(end, b.mul(difference, 1 - weight))};
}
Values lerp_tensor(Builder& b) {
  Value* x = wide(b);
  Value* end = wide(b, 1);
  Value* weight = wide(b, 2);
  Value* difference = b.sub(end, x);
  return {b.where(b.lt(abs_of(b, weight), 0.5), b.add(x, b.mul(weight, difference)),
                  b.sub(end, b.mul(difference, b.sub(1.0, weight))))};
}
namespace {

// 16-bit floats as float32; anything else as it is.
Value* wide_if_half(Builder& b, size_t i) {
  return is_integral(b.in(i)->dtype()) ? b.in(i) : b.widened(b.in(i));
}

}  // namespace

Values addcmul(Builder& b) {
  Value* product = b.mul(wide_if_half(b, 1), wide_if_half(b, 2));
  const Argument& value = b.node().arg(3);
  return {b.add(wide_if_half(b, 0), value == Argument(1) ? product : b.mul(product, value))};
}
Values addcdiv(Builder& b) {
  Value* quotient = b.div(wide_if_half(b, 1), wide_if_half(b, 2));
  const Argument& value = b.node().arg(3);
  return {b.add(wide_if_half(b, 0), value == Argument(1) ? quotient : b.mul(quotient, value))};
}

namespace {

// x * f(y), but 0 where x is 0 and NaN where y is.
Value* guarded_product(Builder& b, Value* x, Value* y, Value* f) {
  Value* product = b.mul(x, f);
  Value* zero = b.where(b.eq(x, 0), b.mul(f, 0.0), product);
  zero = b.where(b.eq(x, 0), 0.0, zero);
  return b.where(b.unary(Op::isnan, y), kNaN, zero);
}

}  // namespace

Values xlogy_tensor(Builder& b) {
  Value* y = wide(b, 1);
  return {guarded_product(b, wide(b), y, b.unary(Op::log, y))};
}
Values xlogy_scalar_other(Builder& b) {
  const double y = b.number(1);
  Value* x = wide(b);
  return {std::isnan(y) ? b.mul(x, kNaN) : b.where(b.eq(x, 0), 0.0, b.mul(x, std::log(y)))};
}
Values xlogy_scalar_self(Builder& b) {
  Value* y = wide(b, 1);
  const double x = b.number(0);
  Value* product = x == 0 ? b.full(y->sizes(), 0.0, y->dtype()) : b.mul(b.unary(Op::log, y), x);
  return {b.where(b.unary(Op::isnan, y), kNaN, product)};
}
Values special_xlog1py(Builder& b) {
  Value* y = wide(b, 1);
  return {guarded_product(b, wide(b), y, log1p_of(b, y))};
}
Values special_entr(Builder& b) {
  Value* x = wide(b);
  Value* y = b.where(b.eq(x, 0), 0.0, neg(b, b.mul(x, b.unary(Op::log, x))));
  return {b.where(b.lt(x, 0), -kInfinity, y)};
}
Values logaddexp(Builder& b) {
  Value* x = wide(b);
  Value* y = wide(b, 1);
  Value* high = b.maximum(x, y);
  Value* sum = b.add(high, log1p_of(b, exp(b, neg(b, abs_of(b, b.sub(x, y))))));
  // Equal infinities differ by NaN.
  return {b.where(b.logical_not(b.unary(Op::isinf, high)), sum, high)};
}
Values logaddexp2(Builder& b) {
  Value* x = wide(b);
  Value* y = wide(b, 1);
  Value* high = b.maximum(x, y);
  Value* low = exp(b, b.mul(abs_of(b, b.sub(x, y)), -std::numbers::ln2));
  Value* sum = b.add(high, b.mul(log1p_of(b, low), 1 / std::numbers::ln2));
  return {b.where(b.logical_not(b.unary(Op::isinf, high)), sum, high)};
}
Values heaviside(Builder& b) {
  Value* x = b.in(0);
  Value* step = b.cast(b.gt(x, 0), b.in(1)->dtype());
  return {b.where(b.eq(x, 0), b.in(1), step)};
}
Values hypot(Builder& b) {
  Value* x = abs_of(b, wide(b));
  Value* y = abs_of(b, wide(b, 1));
  // Scaled, so that squares neither overflow nor vanish; infinite where one side is.
  Value* large = b.maximum(x, y);
  Value* ratio = b.div(b.minimum(x, y), large);
  Value* length = b.mul(large, b.unary(Op::sqrt, b.add(b.mul(ratio, ratio), 1.0)));
  length = b.where(b.eq(large, 0), large, length);
  Value* infinite = b.call(Op::logical_or, {b.eq(x, kInfinity), b.eq(y, kInfinity)});
  return {b.where(infinite, kInfinity, length)};
}
Values sinc(Builder& b) {
  Value* x = b.mul(wide(b), std::numbers::pi);
  return {b.where(b.eq(x, 0), 1.0, b.div(b.unary(Op::sin, x), x))};
}
Values floor_divide_scalar(Builder& b) {
  return {b.call(Op::div_scalar_mode, {b.in(0), b.node().arg(1), "floor"})};
}
Values div_scalar_mode(Builder& b) {
  Value* divisor =
      b.scalar(b.node().arg(1).scalar(),
               b.node().arg(1).is_double() && is_integral(b.in(0)->dtype()) ? DType::kFloat32
                                                                            : b.in(0)->dtype());
  return {b.call(Op::div_tensor_mode, {b.in(0), divisor, b.node().arg(2)})};
}
Values float_power_tensor_scalar(Builder& b) {
  return {b.pow(b.cast(b.in(0), DType::kFloat64), b.number(1))};
}
Values float_power_tensor_tensor(Builder& b) {
  return {b.pow(b.cast(b.in(0), DType::kFloat64), b.cast(b.in(1), DType::kFloat64))};
}
Values float_power_scalar(Builder& b) {
  return {b.pow(b.number(0), b.cast(b.in(1), DType::kFloat64))};
}
Values ldexp_tensor(Builder& b) {
  return {b.mul(b.in(0), b.pow(2.0, b.cast(b.in(1), b.out().dtype)))};
}
Values isclose(Builder& b) {
  if (b.number(2) < 0 || b.number(3) < 0) {
    return b.unsupported("a negative tolerance");
  }
  Value* x = b.in(0);
  Value* y = b.in(1);
  Value* close = b.eq(x, y);
  if (is_integral(x->dtype())) {
    x = b.cast(x, DType::kFloat64);
    y = b.cast(y, DType::kFloat64);
  }
  Value* allowed = b.add(b.mul(abs_of(b, y), b.number(2)), b.number(3));
  Value* distance = abs_of(b, b.sub(x, y));
  // Infinite distances are never close.
  Value* near = b.call(Op::logical_and, {b.le(distance, allowed), b.lt(distance, kInfinity)});
  close = b.call(Op::logical_or, {close, near});
  if (b.flag(4)) {
    Value* both = b.call(Op::logical_and, {b.unary(Op::isnan, x), b.unary(Op::isnan, y)});
    close = b.call(Op::logical_or, {close, both});
  }
  return {close};
}
Values round_decimals(Builder& b) {
  const int64_t decimals = b.integer(1);
  const double ten = std::pow(10.0, static_cast<double>(std::abs(decimals)));
  if (is_integral(b.in(0)->dtype())) {
    return {b.in(0)};
  }
  Value* x = b.widened(b.in(0));
  Value* scaled = decimals < 0 ? b.div(x, ten) : b.mul(x, ten);
  Value* rounded = b.unary(Op::round, scaled);
  return {decimals < 0 ? b.mul(rounded, ten) : b.div(rounded, ten)};
}
Values copysign_tensor(Builder& b) {
  Value* magnitude = abs_of(b, wide(b));
  // Through the reciprocal the sign of zero shows.
  Value* sign = b.in(1);
  Value* negative = is_integral(sign->dtype())
                        ? b.lt(sign, 0)
                        : b.call(Op::logical_or,
                                 {b.lt(sign, 0), b.eq(b.unary(Op::reciprocal, sign), -kInfinity)});
  return {b.where(negative, neg(b, magnitude), magnitude)};
}
Values signbit(Builder& b) {
  Value* x = b.in(0);
  if (is_integral(x->dtype())) {
    return {b.lt(x, 0)};
  }
  return {b.lt(b.call(Op::copysign_tensor, {b.scalar(1.0, x->dtype()), x}), 0)};
}
Values fmax(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.in(1);
  if (is_integral(x->dtype()) && is_integral(y->dtype())) {
    return {b.maximum(x, y)};
  }
  return {b.where(b.unary(Op::isnan, x), y, b.where(b.unary(Op::isnan, y), x, b.maximum(x, y)))};
}
Values fmin(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.in(1);
  if (is_integral(x->dtype()) && is_integral(y->dtype())) {
    return {b.minimum(x, y)};
  }
  return {b.where(b.unary(Op::isnan, x), y, b.where(b.unary(Op::isnan, y), x, b.minimum(x, y)))};
}
Values logit(Builder& b) {
  Value* x = wide(b);
  if (b.has(1)) {
    x = b.clamp(x, b.number(1), 1 - b.number(1));
  }
  return {b.unary(Op::log, b.div(x, b.sub(1.0, x)))};
}
Values where_scalar(Builder& b) {
  return {b.where(b.in(0), b.scalar(b.node().arg(1).scalar(), b.out().dtype),
                  b.scalar(b.node().arg(2).scalar(), b.out().dtype))};
}
Values where_scalarself(Builder& b) {
  return {b.where(b.in(0), b.scalar(b.node().arg(1).scalar(), b.out().dtype), b.in(2))};
}
Values where_scalarother(Builder& b) {
  return {b.where(b.in(0), b.in(1), b.scalar(b.node().arg(2).scalar(), b.out().dtype))};
}
Values bitwise_left_shift_scalar_tensor(Builder& b) {
  return {b.call(Op::bitwise_left_shift_tensor,
                 {b.scalar(b.node().arg(0).scalar(), b.out().dtype), b.in(1)})};
}
Values bitwise_right_shift_scalar_tensor(Builder& b) {
  return {b.call(Op::bitwise_right_shift_tensor,
                 {b.scalar(b.node().arg(0).scalar(), b.out().dtype), b.in(1)})};
}

Values copysign_scalar(Builder& b) {
  Value* magnitude = b.unary(Op::abs, b.cast(b.in(0), b.out().dtype));
  return {std::signbit(b.number(1)) ? b.unary(Op::neg, magnitude) : magnitude};
}

}  // namespace cresset::passes::decompositions
