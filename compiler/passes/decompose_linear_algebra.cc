// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>

#include "compiler/passes/decompositions.h"

// Systems of equations: eliminations as scans over columns, all matrices of a batch at once.
namespace cresset::passes::decompositions {

namespace {

// One step: from the state and the column's number to the new state, then what is stacked.
using Step = std::function<Values(Builder& b, const Values& state, Value* column)>;

// Runs `step` for columns 0 ... count - 1; gives the last state, then the stacked outputs.
Values eliminated(Builder& b, int64_t count, const Values& begin, const Step& step) {
  auto body = std::make_shared<ir::Graph>();
  body->name = "column";
  Values state;
  for (const Value* value : begin) {
    state.push_back(body->add_input("state", value->type));
  }
  Value* column = body->add_input("column", Type::of({DType::kInt64, {}, {}}));
  Builder inner(*body, nullptr, &b.node());
  const Values next = step(inner, state, column);
  if (inner.error()) {
    return Values(next.size(), b.fail(inner.error().text));
  }
  std::vector<Type> types;
  for (size_t i = 0; i < next.size(); ++i) {
    body->outputs.push_back(next[i]);
    TensorType type = next[i]->tensor();
    if (i >= begin.size()) {
      type.sizes.insert(type.sizes.begin(), Dim(count));
    }
    types.push_back(Type::of(std::move(type)));
  }
  return b.typed_calls(Op::hop_scan,
                       {body, Argument::values(begin), ArgumentList{b.iota(count)}, ArgumentList{}},
                       types);
}

int64_t side_of(Builder& b, const Value* x) {
  if (!b.size(x, -1).is_known() || is_complex(x->dtype())) {
    b.fail("the size must be known and the numbers real");
  }
  return b.size(x, -1).known().value_or(1);
}

Dims batch_of(const Value* x) { return {x->sizes().begin(), x->sizes().end() - 2}; }

Dims with(Dims sizes, const Dims& more) {
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

// [batch, rows, columns]
Value* matrices(Builder& b, Value* x) {
  return b.view(x, {numel(batch_of(x)), b.size(x, -2), b.size(x, -1)});
}

Value* picked(Builder& b, Value* x, int64_t dim, Value* at) {
  return b.call(Op::index_select, {x, dim, b.view(at, {1})});
}

Value* nonzero_or_one(Builder& b, Value* x) { return b.where(b.eq(x, 0), 1.0, x); }

// Swaps row `k` with the row at or below it that has the largest element in column k.
// `chosen` gets that row's number, [batch, 1].
Value* pivoted(Builder& b, Value* m, Value* k, Value** chosen) {
  const Dim rows = b.size(m, 1);
  Value* cells = b.iota(rows);
  Value* column = b.view(b.unary(Op::abs, picked(b, m, 2, k)), {b.size(m, 0), rows});
  *chosen = b.call(Op::argmax, {b.where(b.ge(cells, k), column, -1.0), 1, true});
  Value* order = b.where(b.eq(cells, *chosen), k, cells);
  order = b.where(b.eq(cells, k), *chosen, order);
  return b.call(Op::gather, {m, 1, b.expand(b.unsqueeze(order, 2), m->sizes())});
}

struct Solution {
  Value* x = nullptr;
  Value* pivots = nullptr;  // [steps, batch], signs of the row swaps included
};

// Gauss and Jordan with partial pivoting: a x = y for [batch, n, n] and [batch, n, m].
Solution solved(Builder& b, Value* a, Value* y) {
  const int64_t n = side_of(b, a);
  Value* joined = y == nullptr ? a : b.cat({a, y}, 2);
  const Values made = eliminated(b, n, {joined}, [&](Builder& s, const Values& state, Value* k) {
    Value* chosen = nullptr;
    Value* m = pivoted(s, state[0], k, &chosen);
    Value* row = picked(s, m, 1, k);
    Value* pivot = picked(s, row, 2, k);
    Value* here = s.view(s.eq(s.iota(n), k), {n, 1});
    Value* scaled = s.div(row, nonzero_or_one(s, pivot));
    Value* rest = s.sub(m, s.mul(picked(s, m, 2, k), scaled));
    const Dims batch = {s.size(m, 0)};
    Value* sign = s.where(s.eq(s.view(chosen, batch), k), 1.0, s.scalar(-1.0, m->dtype()));
    return Values{s.where(here, scaled, rest),
                  s.mul(s.view(pivot, batch), s.cast(sign, m->dtype()))};
  });
  return {y == nullptr ? nullptr : b.narrow(made[0], 2, n, b.size(y, 2)), made[1]};
}

Value* identity(Builder& b, const Dim& batch, int64_t n, DType dtype) {
  Value* one = b.cast(b.eq(b.view(b.iota(n), {n, 1}), b.iota(n)), dtype);
  return b.expand(one, {batch, n, n});
}

Value* inverse_of(Builder& b, Value* x) {
  Value* a = matrices(b, x);
  Value* one = identity(b, b.size(a, 0), side_of(b, x), x->dtype());
  return b.view(solved(b, a, one).x, x->sizes());
}

Value* solution(Builder& b, Value* a, Value* y, bool left) {
  if (!left) {
    return b.transpose(solution(b, b.transpose(a, -2, -1), b.transpose(y, -2, -1), true), -2, -1);
  }
  const bool vector =
      y->rank() == 1 ||
      (y->rank() == a->rank() - 1 && y->sizes() == Dims(a->sizes().begin(), a->sizes().end() - 1));
  y = vector ? b.unsqueeze(y, -1) : y;
  Dims batch = batch_of(a);
  const Dims other = batch_of(y);
  if (other.size() > batch.size()) {
    batch = other;
  } else {
    for (size_t d = 0; d < other.size(); ++d) {
      Dim& size = batch[batch.size() - other.size() + d];
      size = size == Dim(1) ? other[d] : size;
    }
  }
  a = b.expand(a, with(batch, {b.size(a, -2), b.size(a, -1)}));
  y = b.expand(y, with(batch, {b.size(y, -2), b.size(y, -1)}));
  Value* x = b.view(solved(b, matrices(b, a), matrices(b, y)).x, y->sizes());
  return vector ? b.squeeze(x, -1) : x;
}

struct Determinant {
  Value* sign = nullptr;
  Value* log = nullptr;
  Value* value = nullptr;
};

Determinant determinant(Builder& b, Value* x) {
  const Dims batch = batch_of(x);
  Value* pivots = solved(b, matrices(b, x), nullptr).pivots;
  const auto shaped = [&](Value* v) { return b.view(v, batch); };
  Determinant d;
  d.value = shaped(b.call(Op::prod_dim_int, {pivots, 0}));
  d.sign = shaped(b.call(Op::prod_dim_int, {b.unary(Op::sign, pivots), 0}));
  d.log = shaped(b.sum(b.unary(Op::log, b.unary(Op::abs, pivots)), {0}, false));
  return d;
}

Value* no_info(Builder& b, Value* x) {
  return b.full(batch_of(x), Scalar::of_int(0), DType::kInt32);
}

Value* triangle(Builder& b, Value* x, bool lower, bool unit) {
  Value* kept = b.call(lower ? Op::tril : Op::triu, {x, unit ? (lower ? -1 : 1) : 0});
  if (!unit) {
    return kept;
  }
  const Dim rows = b.size(x, -2), columns = b.size(x, -1);
  Value* one = b.eq(b.view(b.iota(rows), {rows, 1}), b.iota(columns));
  return b.add(kept, b.cast(one, x->dtype()));
}

Value* cholesky_of(Builder& b, Value* x, bool upper) {
  Value* a = matrices(b, upper ? b.transpose(x, -2, -1) : x);
  const int64_t n = side_of(b, x);
  const Values made = eliminated(b, n, {a}, [&](Builder& s, const Values& state, Value* k) {
    Value* column = picked(s, state[0], 2, k);
    Value* pivot = picked(s, column, 1, k);
    Value* cells = s.view(s.iota(n), {n, 1});
    Value* l = s.where(s.ge(cells, k), s.div(column, s.unary(Op::sqrt, pivot)), 0.0);
    Value* rest = s.sub(state[0], s.mul(l, s.transpose(l, 1, 2)));
    return Values{rest, s.squeeze(l, 2)};
  });
  Value* factor = b.view(b.permute(made[1], {1, 2, 0}), x->sizes());
  return upper ? b.transpose(factor, -2, -1) : factor;
}

Value* product_of_factors(Builder& b, Value* factor, bool upper) {
  factor = triangle(b, factor, !upper, false);
  Value* other = b.transpose(factor, -2, -1);
  return upper ? matmul(b, other, factor) : matmul(b, factor, other);
}

struct Factors {
  Value* packed = nullptr;  // L below the diagonal, U on and above it
  Value* pivots = nullptr;  // from 1, [..., min(rows, columns)]
};

Factors factored(Builder& b, Value* x) {
  Value* a = matrices(b, x);
  const int64_t columns = side_of(b, x);
  const int64_t rows = b.size(x, -2).known().value_or(1);
  const int64_t steps = std::min(rows, columns);
  const Values made = eliminated(b, steps, {a}, [&](Builder& s, const Values& state, Value* k) {
    Value* chosen = nullptr;
    Value* m = pivoted(s, state[0], k, &chosen);
    Value* row = picked(s, m, 1, k);
    Value* pivot = nonzero_or_one(s, picked(s, row, 2, k));
    Value* below = s.gt(s.view(s.iota(rows), {rows, 1}), k);
    Value* factor = s.where(below, s.div(picked(s, m, 2, k), pivot), 0.0);
    Value* places = s.iota(columns);
    Value* rest = s.sub(m, s.mul(factor, s.where(s.gt(places, k), row, 0.0)));
    Value* here = s.call(Op::logical_and, {below, s.eq(places, k)});
    return Values{s.where(here, factor, rest), s.squeeze(chosen, 1)};
  });
  Value* pivots = b.cast(b.add(b.permute(made[1], {1, 0}), 1), DType::kInt32);
  return {b.view(made[0], x->sizes()), b.view(pivots, with(batch_of(x), {steps}))};
}

// The order of rows that the swaps come to, [batch, rows].
Value* order_of(Builder& b, Value* pivots, int64_t rows) {
  const int64_t steps = b.size(pivots, -1).known().value_or(1);
  const Dims lead(pivots->sizes().begin(), pivots->sizes().end() - 1);
  const Dim batch = numel(lead);
  Value* flat = b.sub(b.cast(b.view(pivots, {batch, steps}), DType::kInt64), 1);
  Value* begin = b.expand(b.view(b.iota(rows), {1, rows}), {batch, rows});
  const Values made =
      eliminated(b, steps, {begin, flat}, [&](Builder& s, const Values& state, Value* k) {
        Value* cells = s.iota(rows);
        Value* other = picked(s, state[1], 1, k);
        Value* from = s.where(s.eq(cells, other), k, cells);
        from = s.where(s.eq(cells, k), other, from);
        return Values{s.call(Op::gather, {state[0], 1, from}), state[1]};
      });
  return made[0];
}

struct Unpacked {
  Value* p = nullptr;
  Value* l = nullptr;
  Value* u = nullptr;
};

Unpacked unpacked(Builder& b, Value* packed, Value* pivots) {
  const int64_t columns = side_of(b, packed);
  const int64_t rows = b.size(packed, -2).known().value_or(1);
  const int64_t k = std::min(rows, columns);
  Unpacked result;
  result.l = triangle(b, b.narrow(packed, -1, 0, k), true, true);
  result.u = triangle(b, b.narrow(packed, -2, 0, k), false, false);
  Value* order = order_of(b, pivots, rows);
  // Row i of the permuted matrix came from row order[i].
  Value* p = b.eq(b.view(b.iota(rows), {rows, 1}), b.unsqueeze(order, 1));
  result.p = b.view(b.cast(p, packed->dtype()), with(batch_of(packed), {rows, rows}));
  return result;
}

}  // namespace

Values linalg_inv_ex(Builder& b) { return {inverse_of(b, b.in(0)), no_info(b, b.in(0))}; }
Values _linalg_solve_ex(Builder& b) {
  return {solution(b, b.in(0), b.in(1), b.flag(2)), nullptr, nullptr, no_info(b, b.in(0))};
}
Values linalg_solve_triangular(Builder& b) {
  Value* a = triangle(b, b.in(0), !b.flag(2), b.flag(4));
  return {solution(b, a, b.in(1), b.flag(3))};
}
Values triangular_solve(Builder& b) {
  Value* a = triangle(b, b.in(1), !b.flag(2), b.flag(4));
  a = b.flag(3) ? b.transpose(a, -2, -1) : a;
  return {solution(b, a, b.in(0), true), b.in(1)};
}
Values _linalg_det(Builder& b) { return {determinant(b, b.in(0)).value}; }
Values _linalg_slogdet(Builder& b) {
  const Determinant d = determinant(b, b.in(0));
  return {d.sign, d.log};
}

Values linalg_cholesky_ex(Builder& b) {
  return {cholesky_of(b, b.in(0), b.flag(1)), no_info(b, b.in(0))};
}
Values cholesky_inverse(Builder& b) {
  return {inverse_of(b, product_of_factors(b, b.in(0), b.flag(1)))};
}
Values cholesky_solve(Builder& b) {
  return {solution(b, product_of_factors(b, b.in(1), b.flag(2)), b.in(0), true)};
}

Values linalg_lu_factor_ex(Builder& b) {
  const Factors f = factored(b, b.in(0));
  return {f.packed, f.pivots, no_info(b, b.in(0))};
}
Values lu_unpack(Builder& b) {
  const Unpacked u = unpacked(b, b.in(0), b.in(1));
  return {u.p, u.l, u.u};
}
Values linalg_lu(Builder& b) {
  const Factors f = factored(b, b.in(0));
  const Unpacked u = unpacked(b, f.packed, f.pivots);
  return {u.p, u.l, u.u};
}

namespace {

Value* restored(Builder& b, Value* packed, Value* pivots) {
  const Unpacked u = unpacked(b, packed, pivots);
  return matmul(b, u.p, matmul(b, u.l, u.u));
}

}  // namespace

Values linalg_lu_solve(Builder& b) {
  Value* a = restored(b, b.in(0), b.in(1));
  return {solution(b, b.flag(4) ? b.transpose(a, -2, -1) : a, b.in(2), b.flag(3))};
}

}  // namespace cresset::passes::decompositions
