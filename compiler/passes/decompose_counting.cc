// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "compiler/passes/decompositions.h"

// How often values occur, how they vary together, and differences between neighbours.
namespace cresset::passes::decompositions {

// The number of bins is the largest value and one more: only the run knows it.
Values bincount(Builder& b) {
  Value* x = b.in(0);
  const int64_t least = b.integer(2);
  if (x->rank() != 1 || !is_integral(x->dtype()) || x->dtype() == DType::kBool || least < 0) {
    return b.unsupported("only a row of integers, and a minlength from 0");
  }
  Value* values = b.cast(x, DType::kInt64);
  const Dim bins = b.out().sizes.size() == 1 ? b.out().sizes[0] : Dim::unknown("bins");
  Argument count = b.argument(Dim(least));
  if (!(b.size(x, 0) == Dim(0))) {
    Value* largest = b.amax(b.cat({b.add(values, 1), b.int_tensor({least})}, 0), {0}, false);
    count = b.typed_calls(Op::_local_scalar_dense, {largest}, {Type::of_int(bins)})[0];
  }
  const DType dtype = !b.has(1)                             ? DType::kInt64
                      : b.in(1)->dtype() == DType::kFloat32 ? DType::kFloat32
                                                            : DType::kFloat64;
  Value* weights = b.has(1) ? b.cast(b.in(1), dtype) : b.full(x->sizes(), Scalar::of_int(1), dtype);
  if (!(weights->sizes() == x->sizes())) {
    return b.unsupported("weights of another shape");
  }
  Value* zeros = b.typed(Op::full, {ArgumentList{count}, 0, dtype}, {dtype, {bins}, {}});
  return {b.call(Op::index_add, {zeros, 0, values, weights})};
}

Values corrcoef(Builder& b) {
  Value* x = b.widened(b.in(0));
  if (x->rank() > 2) {
    return b.unsupported("more than two dimensions");
  }
  Value* rows = x->rank() < 2 ? b.view(x, {Dim(1), numel(x->sizes())}) : x;
  Value* centred = b.sub(rows, b.mean(rows, {1}, true));
  Value* products = b.mm(centred, b.transpose(centred, 0, 1));
  const Dim n = b.size(rows, 0);
  Value* deviation =
      b.unary(Op::sqrt, b.typed(Op::diagonal_copy, {products}, {x->dtype(), {n}, {}}));
  Value* y = b.div(b.div(products, b.unsqueeze(deviation, 1)), b.unsqueeze(deviation, 0));
  y = b.clamp(y, -1.0, 1.0);
  return {b.view(y, b.out().sizes)};
}

namespace {

// The spacing of one dimension: a number, or the coordinates of its elements.
struct Spacing {
  double step = 1;
  Value* coordinates = nullptr;
};

// Weighted sum of three slices of `x`, of `length` elements from `from`, `from + 1`, `from + 2`.
Value* three(Builder& b, Value* x, int64_t dim, int64_t from, int64_t length,
             const Argument (&weights)[3]) {
  Value* sum = nullptr;
  for (int64_t k = 0; k < 3; ++k) {
    Value* part = b.mul(b.narrow(x, dim, from + k, length), weights[k]);
    sum = sum == nullptr ? part : b.add(sum, part);
  }
  return sum;
}

Value* difference(Builder& b, Value* x, int64_t dim, const Spacing& spacing, int64_t edge_order) {
  const int64_t n = b.size(x, dim).known().value_or(0);
  if (n < edge_order + 1) {
    return b.fail("a dimension must have more elements than edge_order");
  }
  // Steps between neighbours, in a shape that broadcasts along the dimension.
  Value* steps = nullptr;
  if (spacing.coordinates != nullptr) {
    Value* at = b.cast(spacing.coordinates, x->dtype());
    Dims sizes(x->rank(), Dim(1));
    sizes[static_cast<size_t>(dim)] = n - 1;
    steps = b.view(b.sub(b.narrow(at, 0, 1, n - 1), b.narrow(at, 0, 0, n - 1)), sizes);
  }
  const auto step = [&](int64_t from, int64_t length) -> Argument {
    return steps == nullptr ? Argument(spacing.step) : Argument(b.narrow(steps, dim, from, length));
  };
  const auto weighted = [&](int64_t from, int64_t length, int side) {
    if (steps == nullptr) {
      const double h = spacing.step;
      const Argument inner[3] = {-0.5 / h, 0.0, 0.5 / h};
      const Argument first[3] = {-1.5 / h, 2.0 / h, -0.5 / h};
      const Argument last[3] = {0.5 / h, -2.0 / h, 1.5 / h};
      return three(b, x, dim, from, length, side == 0 ? inner : side < 0 ? first : last);
    }
    const Argument p = step(from, length), q = step(from + 1, length);
    Value* sum = b.add(p, q);
    Value* low = b.mul(p, sum);
    Value* middle = b.mul(p, q);
    Value* high = b.mul(q, sum);
    const auto negative = [&](Value* v) { return b.unary(Op::neg, v); };
    if (side == 0) {
      const Argument weights[3] = {negative(b.div(q, low)), b.div(b.sub(q, p), middle),
                                   b.div(p, high)};
      return three(b, x, dim, from, length, weights);
    }
    if (side < 0) {
      const Argument weights[3] = {negative(b.div(b.add(sum, p), low)), b.div(sum, middle),
                                   negative(b.div(p, high))};
      return three(b, x, dim, from, length, weights);
    }
    const Argument weights[3] = {b.div(q, low), negative(b.div(sum, middle)),
                                 b.div(b.add(sum, q), high)};
    return three(b, x, dim, from, length, weights);
  };
  const auto edge = [&](int64_t from, int side) {
    if (edge_order == 2) {
      return weighted(side < 0 ? 0 : n - 3, 1, side);
    }
    return b.div(b.sub(b.narrow(x, dim, from + 1, 1), b.narrow(x, dim, from, 1)), step(from, 1));
  };
  Values parts = {edge(0, -1)};
  if (n > 2) {
    parts.push_back(weighted(0, n - 2, 0));
  }
  parts.push_back(edge(n - 2, 1));
  return b.cat(parts, dim);
}

// One result a dimension of `dims` (all, where that is empty and `every`).
Values gradient(Builder& b, const std::vector<Spacing>& spacings, const Ints& dims, bool every,
                int64_t edge_order) {
  Value* x = is_integral(b.in(0)->dtype()) ? b.cast(b.in(0), DType::kFloat32) : b.in(0);
  const int64_t rank = static_cast<int64_t>(x->rank());
  if (edge_order != 1 && edge_order != 2) {
    return b.unsupported("edge_order " + std::to_string(edge_order));
  }
  Ints over;
  for (int64_t dim : every ? counted(x->rank()) : dims) {
    dim += dim < 0 ? rank : 0;
    if (dim < 0 || dim >= rank || std::find(over.begin(), over.end(), dim) != over.end()) {
      return b.unsupported("these dimensions");
    }
    over.push_back(dim);
  }
  if (spacings.size() != 1 && spacings.size() != over.size()) {
    return b.unsupported("that number of spacings");
  }
  const DType compute = x->dtype();
  Values results;
  for (size_t i = 0; i < over.size(); ++i) {
    const Spacing& spacing = spacings[spacings.size() == 1 ? 0 : i];
    results.push_back(b.cast(difference(b, b.widened(x), over[i], spacing, edge_order), compute));
  }
  return results;
}

std::vector<Spacing> numbers_at(Builder& b, size_t i) {
  std::vector<Spacing> spacings;
  const Argument& given = b.node().arg(i);
  if (given.is_list()) {
    for (const Argument& item : given.list()) {
      if (item.is_number()) {
        spacings.push_back({item.number(), nullptr});
      }
    }
  } else {
    spacings.push_back({given.is_number() ? given.number() : 1, nullptr});
  }
  return spacings;
}

std::vector<Spacing> coordinates_at(Builder& b, size_t i) {
  std::vector<Spacing> spacings;
  for (Value* tensor : b.tensors(i)) {
    spacings.push_back({1, tensor});
  }
  return spacings;
}

}  // namespace

Values gradient_scalarint(Builder& b) {
  return gradient(b, numbers_at(b, 1), b.ints(2), !b.has(2), b.integer(3));
}
Values gradient_scalararray(Builder& b) {
  return gradient(b, numbers_at(b, 1), b.ints(2), false, b.integer(3));
}
Values gradient_array(Builder& b) { return gradient(b, {{}}, b.ints(1), false, b.integer(2)); }
Values gradient_scalarrayint(Builder& b) {
  return gradient(b, numbers_at(b, 1), b.ints(2), !b.has(2), b.integer(3));
}
Values gradient_scalarrayarray(Builder& b) {
  return gradient(b, numbers_at(b, 1), b.ints(2), false, b.integer(3));
}
Values gradient_tensorarrayint(Builder& b) {
  return gradient(b, coordinates_at(b, 1), b.ints(2), !b.has(2), b.integer(3));
}
Values gradient_tensorarray(Builder& b) {
  return gradient(b, coordinates_at(b, 1), b.ints(2), false, b.integer(3));
}

// The value that occurs most often along a dimension, the least of several, and its last place.
Values mode(Builder& b) {
  Value* x = b.in(0);
  if (x->rank() == 0) {
    return {x, b.scalar(Scalar::of_int(0), DType::kInt64)};
  }
  const int64_t last = static_cast<int64_t>(x->rank()) - 1;
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  Value* rows = b.transpose(x, dim, last);
  rows = x->dtype() == DType::kBool ? b.cast(rows, DType::kUInt8) : rows;
  const Values ordered = b.calls(Op::sort, {rows, last, false});
  Value* sorted = ordered[0];
  // How many elements of the same value there are up to each one. NaN equals none, and would lead
  // the search astray.
  const bool floats = is_floating(sorted->dtype());
  Value* nan = floats ? b.unary(Op::isnan, sorted) : nullptr;
  Value* keys = floats ? b.where(nan, INFINITY, sorted) : sorted;
  Value* starts =
      b.call(Op::searchsorted_tensor, {keys, keys, false, false, Argument(), Argument()});
  Value* counts = b.sub(b.iota(b.size(rows, last)), starts);
  counts = floats ? b.where(nan, 0, counts) : counts;
  Value* end = b.call(Op::argmax, {counts, last, true});
  Value* value = b.call(Op::gather, {sorted, last, end});
  Value* place = b.call(Op::gather, {ordered[1], last, end});
  const bool keeps = b.flag(2);
  const auto back = [&](Value* v) {
    return keeps ? b.transpose(v, dim, last) : b.squeeze(b.transpose(v, dim, last), dim);
  };
  return {b.cast(back(value), x->dtype()), back(place)};
}

namespace {

// `count` + 1 edges of bins of one width between two 0-d tensors.
Value* even_edges(Builder& b, Value* low, Value* high, int64_t count) {
  Value* step = b.div(b.sub(high, low), static_cast<double>(count));
  Value* at = b.iota(count + 1, low->dtype());
  Value* upward = b.add(b.mul(at, step), low);
  Value* downward = b.sub(high, b.mul(b.sub(Argument(static_cast<double>(count)), at), step));
  return b.where(b.lt(at, static_cast<double>(count / 2) + 0.5), upward, downward);
}

// Those of the given range, else of the elements' own; a range that is a point is widened.
Value* edges_for(Builder& b, Value* x, const Argument& range, size_t pair, int64_t count) {
  Value* low = nullptr;
  Value* high = nullptr;
  if (count <= 0) {
    return b.fail("there must be bins");
  }
  if (range.is_list() && range.list().size() >= 2 * pair + 2) {
    low = b.scalar(range.list()[2 * pair].number(), x->dtype());
    high = b.scalar(range.list()[2 * pair + 1].number(), x->dtype());
  } else if (b.size(x, 0) == Dim(0)) {
    low = b.scalar(0.0, x->dtype());
    high = b.scalar(1.0, x->dtype());
  } else {
    low = b.amin(x, {0}, false);
    high = b.amax(x, {0}, false);
  }
  Value* half = b.mul(b.cast(b.eq(low, high), x->dtype()), 0.5);
  return even_edges(b, b.sub(low, half), b.add(high, half), count);
}

// Counts, or sums of weights, of the rows of `x` [n, dims] in the boxes between the edges.
Value* histogram_of(Builder& b, Value* x, const Values& edges, Value* weight, bool density) {
  const Dim n = b.size(x, 0);
  Value* place = nullptr;
  Value* within = nullptr;
  Dims bins;
  for (size_t d = 0; d < edges.size(); ++d) {
    const int64_t count = b.size(edges[d], 0).known().value_or(1) - 1;
    if (count <= 0) {
      return b.fail("there must be two edges");
    }
    bins.emplace_back(count);
    Value* v = b.view(b.narrow(x, 1, static_cast<int64_t>(d), 1), {n});
    Value* reached = b.cast(b.ge(b.unsqueeze(v, 1), edges[d]), DType::kInt64);
    Value* bin = b.clamp(b.sub(b.sum(reached, {1}, false), 1), 0, count - 1);
    Value* inside = b.call(Op::logical_and, {b.ge(v, b.select(edges[d], 0, 0)),
                                             b.le(v, b.select(edges[d], 0, count))});
    place = place == nullptr ? bin : b.add(b.mul(place, count), bin);
    within = within == nullptr ? inside : b.call(Op::logical_and, {within, inside});
  }
  Value* each = weight == nullptr ? b.full({n}, 1.0, x->dtype()) : b.view(weight, {n});
  each = b.where(within, each, 0.0);
  Value* sums = b.call(Op::index_add, {b.full({numel(bins)}, 0.0, x->dtype()), 0, place, each});
  sums = b.view(sums, bins);
  if (density) {
    sums = b.div(sums, b.sum(sums, counted(bins.size()), false));
    for (size_t d = 0; d < edges.size(); ++d) {
      const Dim count = bins[d];
      Dims sizes(bins.size(), Dim(1));
      sizes[d] = count;
      Value* widths = b.sub(b.narrow(edges[d], 0, 1, count), b.narrow(edges[d], 0, 0, count));
      sums = b.div(sums, b.view(widths, sizes));
    }
  }
  return sums;
}

Value* rows_of(Builder& b, size_t dims) {
  Value* x = b.in(0);
  Dims sizes = x->sizes();
  if (b.node().info().name == "aten::histogramdd") {
    if (sizes.empty() || !(sizes.back() == Dim(static_cast<int64_t>(dims)))) {
      return b.fail("there must be bins for each element of the last dimension");
    }
    sizes.pop_back();
  }
  return b.view(x, {numel(sizes), Dim(static_cast<int64_t>(dims))});
}

Values histogram_over(Builder& b, Value* rows, Values edges, size_t weight_at) {
  const Argument& weight = b.node().arg(weight_at);
  Values results = {histogram_of(b, rows, edges, weight.is_value() ? weight.value() : nullptr,
                                 b.flag(weight_at + 1))};
  results.insert(results.end(), edges.begin(), edges.end());
  return results;
}

Values even_histogram(Builder& b, const Ints& counts) {
  Value* rows = rows_of(b, counts.size());
  Values edges;
  for (size_t d = 0; d < counts.size() && !b.error(); ++d) {
    Value* v = b.view(b.narrow(rows, 1, static_cast<int64_t>(d), 1), {b.size(rows, 0)});
    edges.push_back(edges_for(b, v, b.node().arg(2), d, counts[d]));
  }
  return b.error() ? b.unsupported("") : histogram_over(b, rows, std::move(edges), 3);
}

}  // namespace

Values histogram_bin_ct(Builder& b) { return even_histogram(b, {b.integer(1)}); }
Values histogramdd(Builder& b) { return even_histogram(b, b.ints(1)); }
Values histogram_bins_tensor(Builder& b) { return histogram_over(b, rows_of(b, 1), {b.in(1)}, 2); }
Values histogramdd_tensorlist_bins(Builder& b) {
  const Values edges = b.tensors(1);
  return histogram_over(b, rows_of(b, edges.size()), edges, 3);
}

}  // namespace cresset::passes::decompositions
