// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/decompositions.h"

// Orthogonal polynomials of degrees that the data gives: a loop over the three-term recurrence up
// to the largest degree, from which each element keeps its own.
namespace cresset::passes::decompositions {

namespace {

// p[k + 1] = (a x + b + c k) / (d + e k) p[k] - (f + g k) / (d + e k) p[k - 1], with p[0] = 1 and
// p[1] = first_x x + first_1.
struct Recurrence {
  double first_x, first_1;
  double a_x, a_kx, a_1, a_k;  // (a_x + a_kx k) x + a_1 + a_k k
  double d_1, d_k;
  double f_1, f_k;
};

Values polynomial(Builder& b, const Recurrence& r, bool shifted) {
  const DType dtype = b.out().dtype;
  Value* x = b.cast(b.in(0), dtype);
  x = shifted ? b.sub(b.mul(x, 2.0), 1.0) : x;
  const Dims& sizes = b.out().sizes;
  x = b.expand(x, sizes);
  Value* degree = b.expand(b.cast(b.in(1), DType::kInt64), sizes);
  Value* last = b.amax(degree, counted(sizes.size()), false);
  Value* one = b.full(sizes, 1.0, dtype);
  Value* first = b.add(b.mul(x, r.first_x), r.first_1);
  Value* result = b.where(b.eq(degree, 0), one, b.full(sizes, 0.0, dtype));
  const Values carried = {b.scalar(Scalar::of_int(1), DType::kInt64), one, first, result};
  const Values fixed = {x, degree, last};
  const auto make = [&](const char* name, Values* inputs) {
    auto graph = std::make_shared<ir::Graph>();
    graph->name = name;
    for (const Values* list : {&carried, &fixed}) {
      for (const Value* value : *list) {
        inputs->push_back(graph->add_input("value", value->type));
      }
    }
    return graph;
  };
  Values c, s;
  auto condition = make("condition", &c);
  Builder test(*condition, nullptr, &b.node());
  condition->outputs = {test.le(c[0], c[6])};
  auto body = make("body", &s);
  Builder step(*body, nullptr, &b.node());
  Value* k = step.cast(s[0], dtype);
  const auto line = [&](double at_0, double slope) -> Argument {
    return slope == 0 ? Argument(at_0) : Argument(step.add(step.mul(k, slope), at_0));
  };
  Value* kept = step.where(step.eq(s[5], s[0]), s[2], s[3]);
  Value* factor = step.add(step.mul(s[4], line(r.a_x, r.a_kx)), line(r.a_1, r.a_k));
  Value* next = step.sub(step.mul(factor, s[2]), step.mul(s[1], line(r.f_1, r.f_k)));
  next = r.d_k == 0 ? next : step.div(next, line(r.d_1, r.d_k));
  body->outputs = {step.add(s[0], 1), s[2], next, kept};
  if (test.error() || step.error()) {
    return b.unsupported((test.error() ? test.error() : step.error()).text);
  }
  std::vector<Type> types;
  for (const Value* value : carried) {
    types.push_back(value->type);
  }
  return {b.typed_calls(Op::hop_while_loop,
                        {condition, body, Argument::values(carried), Argument::values(fixed)},
                        types)[3]};
}

constexpr Recurrence kChebyshevT{1, 0, 2, 0, 0, 0, 1, 0, 1, 0};
constexpr Recurrence kChebyshevU{2, 0, 2, 0, 0, 0, 1, 0, 1, 0};
constexpr Recurrence kChebyshevV{2, -1, 2, 0, 0, 0, 1, 0, 1, 0};
constexpr Recurrence kChebyshevW{2, 1, 2, 0, 0, 0, 1, 0, 1, 0};
constexpr Recurrence kHermite{2, 0, 2, 0, 0, 0, 1, 0, 0, 2};
constexpr Recurrence kHermiteE{1, 0, 1, 0, 0, 0, 1, 0, 0, 1};
constexpr Recurrence kLaguerre{-1, 1, -1, 0, 1, 2, 1, 1, 0, 1};
constexpr Recurrence kLegendre{1, 0, 1, 2, 0, 0, 1, 1, 0, 1};

}  // namespace

Values special_chebyshev_polynomial_t(Builder& b) { return polynomial(b, kChebyshevT, false); }
Values special_chebyshev_polynomial_u(Builder& b) { return polynomial(b, kChebyshevU, false); }
Values special_chebyshev_polynomial_v(Builder& b) { return polynomial(b, kChebyshevV, false); }
Values special_chebyshev_polynomial_w(Builder& b) { return polynomial(b, kChebyshevW, false); }
Values special_shifted_chebyshev_polynomial_t(Builder& b) {
  return polynomial(b, kChebyshevT, true);
}
Values special_shifted_chebyshev_polynomial_u(Builder& b) {
  return polynomial(b, kChebyshevU, true);
}
Values special_shifted_chebyshev_polynomial_v(Builder& b) {
  return polynomial(b, kChebyshevV, true);
}
Values special_shifted_chebyshev_polynomial_w(Builder& b) {
  return polynomial(b, kChebyshevW, true);
}
Values special_hermite_polynomial_h(Builder& b) { return polynomial(b, kHermite, false); }
Values special_hermite_polynomial_he(Builder& b) { return polynomial(b, kHermiteE, false); }
Values special_laguerre_polynomial_l(Builder& b) { return polynomial(b, kLaguerre, false); }
Values special_legendre_polynomial_p(Builder& b) { return polynomial(b, kLegendre, false); }

namespace {

// Greatest common divisors: Euclid's algorithm until every pair is done.
Value* divisor(Builder& b, Value* x, Value* y) {
  const Dims& sizes = b.out().sizes;
  const DType dtype = b.out().dtype;
  const Values carried = {b.expand(b.cast(b.unary(Op::abs, x), dtype), sizes),
                          b.expand(b.cast(b.unary(Op::abs, y), dtype), sizes)};
  const auto make = [&](const char* name, Values* inputs) {
    auto graph = std::make_shared<ir::Graph>();
    graph->name = name;
    for (const Value* value : carried) {
      inputs->push_back(graph->add_input("value", value->type));
    }
    return graph;
  };
  Values c, s;
  auto condition = make("condition", &c);
  Builder test(*condition, nullptr, &b.node());
  condition->outputs = {test.call(Op::any, {test.ne(c[1], 0)})};
  auto body = make("body", &s);
  Builder step(*body, nullptr, &b.node());
  Value* more = step.ne(s[1], 0);
  Value* rest = step.call(Op::remainder_tensor, {s[0], step.where(more, s[1], 1)});
  body->outputs = {step.where(more, s[1], s[0]), step.where(more, rest, s[1])};
  if (test.error() || step.error()) {
    return b.fail((test.error() ? test.error() : step.error()).text);
  }
  return b.typed_calls(Op::hop_while_loop,
                       {condition, body, Argument::values(carried), ArgumentList{}},
                       {carried[0]->type, carried[1]->type})[0];
}

}  // namespace

Values gcd(Builder& b) { return {divisor(b, b.in(0), b.in(1))}; }
Values lcm(Builder& b) {
  Value* common = divisor(b, b.in(0), b.in(1));
  Value* safe = b.where(b.eq(common, 0), 1, common);
  Value* part = b.call(Op::div_tensor_mode, {b.in(0), safe, "trunc"});
  // C++ multiplies small integers as int32.
  const DType dtype = b.out().dtype;
  const DType wide = dtype_bytes(dtype) < 4 ? DType::kInt32 : dtype;
  return {b.unary(Op::abs, b.mul(b.cast(part, wide), b.cast(b.in(1), wide)))};
}

}  // namespace cresset::passes::decompositions
