// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/number.h"

#include <cmath>

#include "kernels/common/arithmetic.h"

namespace cresset::kernels::number {

namespace {

template <class F>
Status apply(Scalar a, Scalar b, Value* out, F f) {
  *out = a.is_double() || b.is_double() ? Value::of_double(f(a.to_double(), b.to_double()))
                                        : Value::of_int(f(a.to_int(), b.to_int()));
  return Status::kOk;
}

Status check_divisor(KernelContext& context, Scalar a, Scalar b) {
  return b.to_bool()
             ? Status::kOk
             : context.fail(Status::kInvalidArgument, "{} is divided by zero", a.to_double());
}

}  // namespace

Status add(KernelContext&, Scalar a, Scalar b, Value* out) {
  return apply(a, b, out, [](auto x, auto y) { return plus(x, y); });
}

Status subtract(KernelContext&, Scalar a, Scalar b, Value* out) {
  return apply(a, b, out, [](auto x, auto y) { return minus(x, y); });
}

Status multiply(KernelContext&, Scalar a, Scalar b, Value* out) {
  return apply(a, b, out, [](auto x, auto y) { return times(x, y); });
}

Status floor_divide(KernelContext& context, Scalar a, Scalar b, Value* out) {
  CRESSET_TRY(check_divisor(context, a, b));
  return apply(a, b, out, [](auto x, auto y) { return quotient_floor(x, y); });
}

Status modulo(KernelContext& context, Scalar a, Scalar b, Value* out) {
  CRESSET_TRY(check_divisor(context, a, b));
  return apply(a, b, out, [](auto x, auto y) { return rest_floor(x, y); });
}

Status true_divide(KernelContext& context, Scalar a, Scalar b, Value* out) {
  CRESSET_TRY(check_divisor(context, a, b));
  *out = Value::of_double(a.to_double() / b.to_double());
  return Status::kOk;
}

Status power(KernelContext&, Scalar a, Scalar b, Value* out) {
  if (!a.is_double() && !b.is_double() && b.to_int() < 0) {
    *out = Value::of_double(std::pow(a.to_double(), b.to_double()));
    return Status::kOk;
  }
  return apply(a, b, out, [](auto x, auto y) { return kernels::power(x, y); });
}

Status negate(KernelContext&, Scalar a, Value* out) {
  *out = a.is_double() ? Value::of_double(-a.to_double())
                       : Value::of_int(minus<int64_t>(0, a.to_int()));
  return Status::kOk;
}

Status maximum(KernelContext&, Scalar a, Scalar b, Value* out) {
  return apply(a, b, out, [](auto x, auto y) { return greater_of(x, y); });
}

Status minimum(KernelContext&, Scalar a, Scalar b, Value* out) {
  return apply(a, b, out, [](auto x, auto y) { return smaller_of(x, y); });
}

Status round_with(KernelContext& context, Scalar a, double (*round)(double), Value* out) {
  if (!a.is_double()) {
    *out = Value::of_int(a.to_int());
    return Status::kOk;
  }
  const double whole = round(a.to_double());
  if (!(whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)) {
    return context.fail(Status::kInvalidArgument, "{} does not fit an integer", a.to_double());
  }
  *out = Value::of_int(static_cast<int64_t>(whole));
  return Status::kOk;
}

Order order(Scalar a, Scalar b) {
  if (a.is_double() || b.is_double()) {
    const double x = a.to_double();
    const double y = b.to_double();
    return {x<y, x == y, x> y};
  }
  return {a.to_int() < b.to_int(), a.to_int() == b.to_int(), a.to_int() > b.to_int()};
}

}  // namespace cresset::kernels::number
