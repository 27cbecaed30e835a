// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

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
  const bool single = x->rank() < 2;
  Value* rows = single ? b.view(x, {Dim(1), numel(x->sizes())}) : x;
  Value* centred = b.sub(rows, b.mean(rows, {1}, true));
  Value* products = b.mm(centred, b.transpose(centred, 0, 1));
  const Dim n = b.size(rows, 0);
  Value* deviation =
      b.unary(Op::sqrt, b.typed(Op::diagonal_copy, {products}, {x->dtype(), {n}, {}}));
  Value* y = b.div(b.div(products, b.unsqueeze(deviation, 1)), b.unsqueeze(deviation, 0));
  y = b.clamp(y, -1.0, 1.0);
  return {single ? b.view(y, {}) : y};
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

}  // namespace cresset::passes::decompositions
