// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "compiler/passes/decompositions.h"

// What rests on sorting, and running results that a scan computes.
namespace cresset::passes::decompositions {

namespace {

Value* flattened(Builder& b, Value* x) { return b.view(x, {numel(x->sizes())}); }

// Runs of equal neighbours along dimension 0: what they hold, how long they are, and the run that
// each element is in.
struct Runs {
  Value* values = nullptr;
  Value* counts = nullptr;
  Value* places = nullptr;
};

// `x` has one or two dimensions. `count` is how many runs there are.
Runs runs_of(Builder& b, Value* x, const Dim& count) {
  const Dim n = b.size(x, 0);
  Value* changes = b.ne(x, b.call(Op::roll, {x, Argument::ints({1}), Argument::ints({0})}));
  if (x->rank() == 2) {
    changes = b.call(Op::any_dim, {changes, 1});
  }
  Value* starts = b.call(Op::logical_or, {changes, b.eq(b.iota(n), 0)});
  Value* at = b.view(b.typed(Op::nonzero, {starts}, {DType::kInt64, {count, 1}, {}}), {count});
  Runs runs;
  runs.values = b.call(Op::index_select, {x, 0, at});
  runs.places = b.sub(b.call(Op::cumsum, {starts, 0}), 1);
  Value* zeros = b.call(Op::full_like, {at, Scalar::of_int(0)});
  runs.counts =
      b.call(Op::index_add, {zeros, 0, runs.places, b.full({n}, Scalar::of_int(1), DType::kInt64)});
  return runs;
}

// Values from sorted ones to where they were.
Value* unsorted(Builder& b, Value* x, Value* order) {
  Value* zeros = b.full(order->sizes(), Scalar::of_int(0), x->dtype());
  return b.call(Op::index_put, {zeros, ArgumentList{order}, x, false});
}

Value* none(Builder& b) { return b.full({Dim(0)}, Scalar::of_int(0), DType::kInt64); }

// A dimension's slices as the rows of a matrix.
struct Rows {
  Value* matrix = nullptr;
  Dims moved;     // the sizes with the dimension in front
  Ints backward;  // the permutation that takes it back
};

Rows rows_along(Builder& b, Value* x, size_t dim) {
  Rows rows;
  Ints forward = {static_cast<int64_t>(dim)};
  for (size_t d = 0; d < x->rank(); ++d) {
    if (d != dim) {
      forward.push_back(static_cast<int64_t>(d));
    }
    rows.backward.push_back(static_cast<int64_t>(d < dim ? d + 1 : d == dim ? 0 : d));
  }
  Value* front = b.permute(x, forward);
  rows.moved = front->sizes();
  rows.matrix = b.view(front, {rows.moved[0], numel({rows.moved.begin() + 1, rows.moved.end()})});
  return rows;
}

// The order in which rows ascend, the first column counting most: sorted by each column in turn,
// the last one first, which keeps the order of those before.
Value* row_order(Builder& b, Value* rows) {
  const Dim n = b.size(rows, 0), width = b.size(rows, 1);
  auto body = std::make_shared<ir::Graph>();
  body->name = "column";
  Value* order = body->add_input("order", Type::of({DType::kInt64, {n}, {}}));
  Value* column = body->add_input("column", Type::of({rows->dtype(), {n}, {}}));
  Builder inner(*body, nullptr, &b.node());
  Value* keys = inner.call(Op::index_select, {column, 0, order});
  Value* next =
      inner.call(Op::index_select, {order, 0, inner.calls(Op::sort, {keys, 0, false})[1]});
  if (inner.error()) {
    return b.fail(inner.error().text);
  }
  body->outputs = {next, next};
  Value* columns = b.flip(b.permute(rows, {1, 0}), {0});
  return b.typed_calls(
      Op::hop_scan,
      {body, Argument::values({b.iota(n)}), Argument::values({columns}), ArgumentList{}},
      {next->type, Type::of({DType::kInt64, {width, n}, {}})})[0];
}

// Distinct slices along a dimension; sorted, or as far as they follow each other.
Values unique_along(Builder& b, size_t dim, bool sorts) {
  Value* x = b.in(0);
  const bool empty = b.size(x, static_cast<int64_t>(dim)) == Dim(0);
  for (size_t d = 0; d < x->rank(); ++d) {
    if (d != dim && x->sizes()[d] == Dim(0)) {
      return b.unsupported("slices without elements");
    }
  }
  if (empty) {
    return {x, none(b), none(b)};
  }
  Rows rows = rows_along(b, x, dim);
  Value* order = sorts ? row_order(b, rows.matrix) : nullptr;
  Value* sorted = sorts ? b.call(Op::index_select, {rows.matrix, 0, order}) : rows.matrix;
  const Runs runs = runs_of(b, sorted, b.out().sizes[dim]);
  rows.moved[0] = b.out().sizes[dim];
  return {b.permute(b.view(runs.values, rows.moved), rows.backward),
          sorts ? unsorted(b, runs.places, order) : runs.places, runs.counts};
}

}  // namespace

Values _unique2(Builder& b) {
  Value* x = b.in(0);
  const Values sorted = b.calls(Op::sort, {flattened(b, x), 0, false});
  const Runs runs = runs_of(b, sorted[0], b.out().sizes[0]);
  return {runs.values,
          b.flag(2) ? b.view(unsorted(b, runs.places, sorted[1]), x->sizes()) : none(b),
          b.flag(3) ? runs.counts : none(b)};
}
Values unique_consecutive(Builder& b) {
  Value* x = b.in(0);
  if (b.has(3)) {
    const size_t dim = b.axis(3, x->rank());
    // Of a vector along its dimension 0 PyTorch gives what flags ask for, else everything.
    if (x->rank() != 1 || b.integer(3) != 0) {
      return unique_along(b, dim, false);
    }
  }
  const Runs runs = runs_of(b, flattened(b, x), b.out().sizes[0]);
  return {runs.values, b.flag(1) ? b.view(runs.places, x->sizes()) : none(b),
          b.flag(2) ? runs.counts : none(b)};
}
Values unique_dim(Builder& b) { return unique_along(b, b.axis(1, b.in(0)->rank()), true); }

namespace {

// The lower of the two middle elements along a dimension, and its index.
Values middle(Builder& b, Value* x, int64_t dim, bool skip_nan) {
  const std::optional<int64_t> n = b.size(x, dim).known();
  if (!n || *n == 0) {
    return b.unsupported("the size must be known and not 0");
  }
  const Values sorted = b.calls(Op::sort, {x, dim, false});
  if (is_integral(x->dtype()) || !skip_nan) {
    Values picked = {b.narrow(sorted[0], dim, (*n - 1) / 2, 1),
                     b.narrow(sorted[1], dim, (*n - 1) / 2, 1)};
    if (!is_integral(x->dtype())) {  // NaN sorts last
      Value* last = b.narrow(sorted[0], dim, *n - 1, 1);
      Value* bad = b.unary(Op::isnan, last);
      picked = {b.where(bad, last, picked[0]),
                b.where(bad, b.narrow(sorted[1], dim, *n - 1, 1), picked[1])};
    }
    return picked;
  }
  Value* good = b.sum(b.unary(Op::logical_not, b.unary(Op::isnan, x)), {dim}, true);
  Value* at = b.clamp(b.call(Op::div_scalar_mode, {b.sub(good, 1), 2, "floor"}), 0, Argument());
  return {b.call(Op::gather, {sorted[0], dim, at}), b.call(Op::gather, {sorted[1], dim, at})};
}

Values middle_of_all(Builder& b, bool skip_nan) {
  Value* x = b.in(0);
  return {b.view(middle(b, flattened(b, x), 0, skip_nan)[0], {})};
}

Values middle_along(Builder& b, bool skip_nan) {
  Value* x = b.in(0);
  if (x->rank() == 0) {
    return {x, b.full({}, Scalar::of_int(0), DType::kInt64)};
  }
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  Values picked = middle(b, x, dim, skip_nan);
  for (Value*& value : picked) {
    value = b.flag(2) ? value : b.squeeze(value, dim);
  }
  return picked;
}

}  // namespace

Values median(Builder& b) { return middle_of_all(b, false); }
Values nanmedian(Builder& b) { return middle_of_all(b, true); }
Values median_dim(Builder& b) { return middle_along(b, false); }
Values nanmedian_dim(Builder& b) { return middle_along(b, true); }

namespace {

Values quantiles(Builder& b, Value* q, bool skip_nan) {
  Value* x = b.in(0);
  const std::string how = b.node().arg(4).string();
  const bool flat = !b.has(2) || x->rank() == 0;
  if (flat) {
    x = flattened(b, x);
  }
  const int64_t dim = flat ? 0 : static_cast<int64_t>(b.axis(2, x->rank()));
  const int64_t last = static_cast<int64_t>(x->rank()) - 1;
  const std::optional<int64_t> n = b.size(x, dim).known();
  if (!n || *n == 0 || last < 0) {
    return b.unsupported("the size must be known and not 0");
  }
  Value* sorted = b.calls(Op::sort, {b.transpose(x, dim, last), last, false})[0];
  const bool single = q->rank() == 0;
  const Dim count = single ? Dim(1) : b.size(q, 0);
  Dims picked = sorted->sizes();
  picked.back() = count;
  Value* bad = b.unary(Op::isnan, sorted);
  Value* rank = nullptr;
  if (skip_nan) {
    Value* good = b.sum(b.unary(Op::logical_not, bad), {last}, true);
    rank = b.clamp(b.mul(b.view(q, {count}), b.sub(b.cast(good, q->dtype()), 1)), 0, Argument());
  } else {
    rank = b.expand(b.mul(b.view(q, {count}), static_cast<double>(*n - 1)), picked);
  }
  if (how == "lower" || how == "higher" || how == "nearest") {
    rank = b.unary(how == "lower" ? Op::floor : how == "higher" ? Op::ceil : Op::round, rank);
  }
  Value* low = b.cast(b.unary(Op::floor, rank), DType::kInt64);
  Value* high = b.cast(b.unary(Op::ceil, rank), DType::kInt64);
  Value* below = b.call(Op::gather, {sorted, last, low});
  Value* above = b.call(Op::gather, {sorted, last, high});
  Value* part = b.sub(rank, b.unary(Op::floor, rank));
  Value* y = how == "midpoint" ? b.mul(b.add(below, above), 0.5)
                               : b.add(below, b.mul(b.sub(above, below), part));
  if (!skip_nan) {
    y = b.where(b.call(Op::any_dim, {bad, last, true}), std::nan(""), y);
  }
  // The quantiles become the first dimension.
  y = b.transpose(y, dim, last);
  Ints order = {dim};
  for (int64_t d = 0; d <= last; ++d) {
    if (d != dim) {
      order.push_back(d);
    }
  }
  return {b.view(b.permute(y, order), b.out().sizes)};
}

}  // namespace

Values quantile(Builder& b) { return quantiles(b, b.in(1), false); }
Values nanquantile(Builder& b) { return quantiles(b, b.in(1), true); }
Values quantile_scalar(Builder& b) {
  return quantiles(b, b.scalar(b.number(1), b.in(0)->dtype()), false);
}
Values nanquantile_scalar(Builder& b) {
  return quantiles(b, b.scalar(b.number(1), b.in(0)->dtype()), true);
}

namespace {

// A scan over dimension `dim` of x whose state holds one or two tensors of a slice's shape.
// `step` maps state, slice and position to the new state, which also is the output.
template <class Step>
Values scanned(Builder& b, Value* x, int64_t dim, const Values& begin, Step step) {
  x = b.transpose(x, dim, 0);
  const Dim count = b.size(x, 0);
  Value* positions = b.iota(count);
  auto body = std::make_shared<ir::Graph>();
  body->name = "step";
  Values state;
  for (const Value* value : begin) {
    state.push_back(body->add_input("state", value->type));
  }
  TensorType slice = x->tensor();
  slice.sizes.erase(slice.sizes.begin());
  slice.dim_order.clear();
  Value* element = body->add_input("element", Type::of(slice));
  Value* position = body->add_input("position", Type::of({DType::kInt64, {}, {}}));
  Builder inner(*body, nullptr, &b.node());
  const Values next = step(inner, state, element, position);
  if (inner.error()) {
    return Values(begin.size(), b.fail(inner.error().text));
  }
  std::vector<Type> types;
  for (const Value* value : next) {
    types.push_back(value->type);
  }
  body->outputs.assign(next.begin(), next.end());
  for (Value* value : next) {
    TensorType stacked = value->tensor();
    stacked.sizes.insert(stacked.sizes.begin(), count);
    types.push_back(Type::of(stacked));
    body->outputs.push_back(value);
  }
  const Values results = b.typed_calls(
      Op::hop_scan,
      {body, Argument::values(begin), Argument::values({x, positions}), ArgumentList{}}, types);
  Values stacked;
  for (size_t i = begin.size(); i < results.size(); ++i) {
    stacked.push_back(b.transpose(results[i], dim, 0));
  }
  return stacked;
}

Dims slice_sizes(const Value* x, int64_t dim) {
  Dims sizes = x->sizes();
  // `scanned` swaps the dimension with the first one.
  std::swap(sizes[0], sizes[static_cast<size_t>(dim)]);
  sizes.erase(sizes.begin());
  return sizes;
}

}  // namespace

Values cumprod(Builder& b) {
  Value* x = b.cast(b.in(0), b.out().dtype);
  if (x->rank() == 0) {
    return {x};
  }
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  Value* one = b.full(slice_sizes(x, dim), Scalar::of_int(1), x->dtype());
  return scanned(b, x, dim, {one}, [](Builder& inner, const Values& state, Value* element, Value*) {
    return Values{inner.mul(state[0], element)};
  });
}

namespace {

Values running_extreme(Builder& b, bool largest) {
  Value* x = b.in(0);
  if (x->rank() == 0) {
    return {x, b.full({}, Scalar::of_int(0), DType::kInt64)};
  }
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  Value* first = b.select(b.transpose(x, dim, 0), 0, 0);
  Value* zero = b.full(first->sizes(), Scalar::of_int(0), DType::kInt64);
  return scanned(b, x, dim, {first, zero},
                 [&](Builder& inner, const Values& state, Value* element, Value* position) {
                   Value* better =
                       largest ? inner.ge(element, state[0]) : inner.le(element, state[0]);
                   if (!is_integral(element->dtype())) {
                     better = inner.call(Op::logical_or, {better, inner.unary(Op::isnan, element)});
                   }
                   return Values{inner.where(better, element, state[0]),
                                 inner.where(better, position, state[1])};
                 });
}

}  // namespace

Values cummax(Builder& b) { return running_extreme(b, true); }
Values cummin(Builder& b) { return running_extreme(b, false); }

namespace {

Values triangle_of(Builder& b, bool lower) {
  Value* x = b.in(0);
  const Dim rows = b.size(x, -2);
  const Dim columns = b.size(x, -1);
  Value* row = b.add(b.view(b.iota(rows), {rows, 1}), b.node().arg(1));
  Value* column = b.view(b.iota(columns), {1, columns});
  return {b.where(lower ? b.ge(row, column) : b.le(row, column), x, 0)};
}

}  // namespace

Values triu(Builder& b) { return triangle_of(b, false); }
Values tril(Builder& b) { return triangle_of(b, true); }

// Without a range, that of the elements; where that is a point, one more on each side.
Values histc(Builder& b) {
  Value* x = flattened(b, b.widened(b.in(0)));
  const int64_t bins = b.integer(1);
  if (bins <= 0 || b.number(2) > b.number(3)) {
    return b.unsupported("that range or number of bins");
  }
  Value* low = b.scalar(b.number(2), x->dtype());
  Value* high = b.scalar(b.number(3), x->dtype());
  if (b.number(2) == b.number(3)) {
    if (!(b.size(x, 0) == Dim(0))) {
      low = b.amin(x, {0}, false);
      high = b.amax(x, {0}, false);
    }
    Value* point = b.cast(b.eq(low, high), x->dtype());
    low = b.sub(low, point);
    high = b.add(high, point);
  }
  Value* place = b.div(b.mul(b.sub(x, low), static_cast<double>(bins)), b.sub(high, low));
  place = b.clamp(b.unary(Op::floor, place), 0.0, static_cast<double>(bins - 1));
  Value* inside = b.call(Op::logical_and, {b.ge(x, low), b.le(x, high)});
  place = b.where(inside, b.cast(place, DType::kInt64), 0);
  Value* zeros = b.full({bins}, 0.0, x->dtype());
  return {b.call(Op::index_put, {zeros, ArgumentList{place}, b.cast(inside, x->dtype()), true})};
}

Values nonzero_numpy(Builder& b) {
  const Dim count = b.out().sizes[0];
  Value* x = b.in(0)->rank() == 0 ? b.unsqueeze(b.in(0), 0) : b.in(0);
  const int64_t rank = static_cast<int64_t>(x->rank());
  Value* places = b.typed(Op::nonzero, {x}, {DType::kInt64, {count, rank}, {}});
  Values columns;
  for (int64_t d = 0; d < rank; ++d) {
    columns.push_back(b.select(places, 1, d));
  }
  return columns;
}
Values nonzero_static(Builder& b) {
  Value* x = b.in(0);
  const Dim wanted = b.out().sizes[0];
  if (numel(b.out().sizes) == Dim(0)) {
    return {b.full(b.out().sizes, Scalar::of_int(0), DType::kInt64)};
  }
  const Dim total = numel(x->sizes());
  if (total == Dim(0)) {
    return {b.full(b.out().sizes, Scalar::of_int(b.integer(2)), DType::kInt64)};
  }
  Value* found = b.view(b.truth(x), {total});
  // Each element found takes the next free row; all others share a spare one behind the last.
  Value* row = b.sub(b.call(Op::cumsum, {found, 0}), 1);
  Value* fits = b.call(Op::logical_and, {found, b.lt(row, b.argument(wanted))});
  Value* spare = b.full({total}, Scalar::of_int(0), DType::kInt64);
  row = b.where(fits, row, b.add(spare, b.argument(wanted)));
  Values columns;
  Dim inner = total;
  for (size_t d = 0; d < x->rank(); ++d) {
    const Dim size = x->sizes()[d];
    if (!size.is_known()) {
      return b.unsupported("the sizes must be known");
    }
    inner = ir::floor_div(inner, size);
    Value* at = b.call(Op::div_scalar_mode, {b.iota(total), b.argument(inner), "floor"});
    at = b.call(Op::remainder_scalar, {at, b.argument(size)});
    Value* empty = b.full({wanted + 1}, b.node().arg(2).scalar(), DType::kInt64);
    Value* placed = b.call(Op::index_put, {empty, ArgumentList{row}, at, false});
    columns.push_back(b.narrow(placed, 0, 0, wanted));
  }
  return {b.stack(columns, 1)};
}

}  // namespace cresset::passes::decompositions
