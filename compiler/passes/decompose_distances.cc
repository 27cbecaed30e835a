// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <numbers>

#include "compiler/passes/decompositions.h"

// Distances, norms of matrices, products of vectors and powers.
namespace cresset::passes::decompositions {

namespace {

Values distances(Builder& b, double p) {
  Value* x = b.unsqueeze(b.in(0), -2);
  Value* y = b.unsqueeze(b.in(1), -3);
  return {b.call(Op::linalg_vector_norm, {b.sub(x, y), p, Argument::ints({-1}), false})};
}

// Rows i < j of a matrix (i <= j where `equal`), as two index vectors.
void pairs(int64_t n, bool equal, Ints* first, Ints* second) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = equal ? i : i + 1; j < n; ++j) {
      first->push_back(i);
      second->push_back(j);
    }
  }
}

}  // namespace

Values cdist(Builder& b) { return distances(b, b.number(2)); }
Values _cdist_forward(Builder& b) { return distances(b, b.number(2)); }
Values pdist(Builder& b) {
  Value* x = b.in(0);
  if (!b.size(x, 0).is_known()) {
    return b.unsupported("the number of rows must be known");
  }
  Ints first, second;
  pairs(*b.size(x, 0).known(), false, &first, &second);
  Value* difference = b.sub(b.call(Op::index_select, {x, 0, b.int_tensor(first)}),
                            b.call(Op::index_select, {x, 0, b.int_tensor(second)}));
  return {b.call(Op::linalg_vector_norm, {difference, b.number(1), Argument::ints({-1}), false})};
}
Values _pdist_forward(Builder& b) { return pdist(b); }
Values combinations(Builder& b) {
  Value* x = b.in(0);
  if (b.integer(1) == 1) {
    return {b.unsqueeze(x, 1)};
  }
  const int64_t length = b.integer(1);
  const std::optional<int64_t> n = b.size(x, 0).known();
  if (length < 1 || !n || x->rank() != 1) {
    return b.unsupported("only of a known number of elements");
  }
  // All ascending tuples of positions, in order.
  Ints all;
  Ints tuple(static_cast<size_t>(length), 0);
  const int64_t step = b.flag(2) ? 0 : 1;
  for (int64_t k = 0; k < length; ++k) {
    tuple[static_cast<size_t>(k)] = k * step;
  }
  while (tuple.back() < *n) {
    all.insert(all.end(), tuple.begin(), tuple.end());
    size_t at = tuple.size() - 1;
    while (at > 0 && tuple[at] + 1 + static_cast<int64_t>(tuple.size() - 1 - at) * step > *n - 1) {
      --at;
    }
    ++tuple[at];
    for (size_t k = at + 1; k < tuple.size(); ++k) {
      tuple[k] = tuple[k - 1] + step;
    }
  }
  const int64_t count = static_cast<int64_t>(all.size()) / length;
  return {b.view(b.call(Op::index_select, {x, 0, b.int_tensor(all)}), {Dim(count), Dim(length)})};
}

Values linalg_cross(Builder& b) {
  const Dims& sizes = b.out().sizes;
  Value* x = b.expand(b.in(0), sizes);
  Value* y = b.expand(b.in(1), sizes);
  int64_t dim = -1;
  if (b.has(2)) {
    dim = static_cast<int64_t>(b.axis(2, sizes.size()));
  } else {  // the first dimension of three
    while (!(sizes[static_cast<size_t>(++dim)] == Dim(3))) {
    }
  }
  for (const Value* v : {b.in(0), b.in(1)}) {
    const size_t back = sizes.size() - static_cast<size_t>(dim);
    if (back > v->rank() || !(v->sizes()[v->rank() - back] == Dim(3))) {
      return {b.fail("both must have 3 elements along dim")};
    }
  }
  const auto rolled = [&](Value* v, int64_t by) {
    return b.cat({b.narrow(v, dim, by, 3 - by), b.narrow(v, dim, 0, by)}, dim);
  };
  return {b.sub(b.mul(rolled(x, 1), rolled(y, 2)), b.mul(rolled(x, 2), rolled(y, 1)))};
}
Values cross(Builder& b) { return linalg_cross(b); }

namespace {

Values matrix_norm(Builder& b, double order, const std::vector<size_t>& dims, bool keepdim) {
  Value* x = b.cast(b.in(0), b.out().dtype);
  if (std::abs(order) == 2) {
    return {b.view(singular_norm(b, x, order, dims), b.out().sizes)};
  }
  const bool columns = std::abs(order) == 1;
  if (!columns && !std::isinf(order)) {
    return b.unsupported("order " + std::to_string(order));
  }
  const int64_t summed = static_cast<int64_t>(dims[columns ? 0 : 1]);
  const int64_t other = static_cast<int64_t>(dims[columns ? 1 : 0]);
  Value* sums = b.sum(b.unary(Op::abs, x), {summed}, true);
  Value* y = order > 0 ? b.amax(sums, {other}, true) : b.amin(sums, {other}, true);
  return {b.view(y, b.out().sizes)};
}

// "fro" or "nuc".
Values named_norm(Builder& b, const std::vector<size_t>& dims, bool keepdim) {
  Value* x = b.cast(b.in(0), b.out().dtype);
  if (b.node().arg(1).string() == "nuc") {
    return {b.view(singular_norm(b, x, 1, dims), b.out().sizes)};
  }
  const Ints both = {static_cast<int64_t>(dims[0]), static_cast<int64_t>(dims[1])};
  return {b.call(Op::linalg_vector_norm, {x, 2.0, Argument::ints(both), keepdim})};
}

}  // namespace

Values linalg_matrix_norm(Builder& b) {
  return matrix_norm(b, b.number(1), b.axes(2, b.in(0)->rank()), b.flag(3));
}
Values linalg_matrix_norm_str_ord(Builder& b) {
  return named_norm(b, b.axes(2, b.in(0)->rank()), b.flag(3));
}
Values linalg_norm_ord_str(Builder& b) {
  const std::vector<size_t> both = {0, 1};
  return named_norm(b, b.has(2) ? b.axes(2, b.in(0)->rank()) : both, b.flag(3));
}
Values linalg_norm(Builder& b) {
  Value* x = b.in(0);
  const bool matrix = b.has(2) ? b.ints(2).size() == 2 : x->rank() == 2;
  if (b.has(1) && matrix) {
    const std::vector<size_t> dims = b.has(2) ? b.axes(2, x->rank()) : std::vector<size_t>{0, 1};
    return matrix_norm(b, b.number(1), dims, b.flag(3));
  }
  const Ints dims = b.has(2) ? b.ints(2) : counted(x->rank());
  return {b.call(Op::linalg_vector_norm,
                 {b.cast(x, b.out().dtype), b.has(1) ? b.node().arg(1) : Argument(2.0),
                  Argument::ints(dims), b.flag(3)})};
}
Values renorm(Builder& b) {
  Value* x = b.in(0);
  Ints over;
  const int64_t dim = static_cast<int64_t>(b.axis(2, x->rank()));
  for (int64_t d = 0; d < static_cast<int64_t>(x->rank()); ++d) {
    if (d != dim) {
      over.push_back(d);
    }
  }
  Value* norm =
      b.call(Op::linalg_vector_norm, {b.widened(x), b.node().arg(1), Argument::ints(over), true});
  const double limit = b.number(3);
  Value* factor = b.where(b.gt(norm, limit), b.div(limit, b.add(norm, 1e-7)), 1.0);
  return {b.mul(x, factor)};
}

namespace {

Values power_of_matrix(Builder& b) {
  Value* x = b.in(0);
  int64_t n = b.integer(1);
  if (n < 0) {
    x = b.call(Op::linalg_inv_ex, {x, true});
    n = -n;
  }
  if (n == 0) {
    const Dim side = b.size(x, -1);
    Value* one = b.eq(b.view(b.iota(side), {side, 1}), b.iota(side));
    return {b.expand(b.cast(one, x->dtype()), x->sizes())};
  }
  Value* result = nullptr;
  for (int64_t bits = n; bits != 0; bits >>= 1) {
    if ((bits & 1) != 0) {
      result = result == nullptr ? x : matmul(b, result, x);
    }
    x = bits > 1 ? matmul(b, x, x) : x;
  }
  return {result};
}

Values vandermonde(Builder& b, bool increasing) {
  Value* x = b.cast(b.in(0), b.out().dtype);
  x = x->rank() == 0 ? b.view(x, {1}) : x;
  const int64_t n = b.size(b.node().result(), -1).known().value_or(0);
  Values columns;
  for (int64_t i = 0; i < n; ++i) {
    columns.push_back(b.pow(x, increasing ? i : n - 1 - i));
  }
  return {b.stack(columns, -1)};
}

}  // namespace

Values matrix_power(Builder& b) { return power_of_matrix(b); }
Values linalg_matrix_power(Builder& b) { return power_of_matrix(b); }
Values linalg_vander(Builder& b) { return vandermonde(b, true); }
Values vander(Builder& b) { return vandermonde(b, b.flag(2)); }

Values special_ndtr(Builder& b) {
  Value* erf = b.unary(Op::erf, b.mul(b.widened(b.in(0)), 1 / std::numbers::sqrt2));
  return {b.mul(b.add(erf, 1.0), 0.5)};
}

Values _softmax_backward_data(Builder& b) {
  Value* y = b.widened(b.in(1));
  Value* product = b.mul(b.widened(b.in(0)), y);
  Value* sum = b.sum(product, {b.integer(2)}, true);
  return {b.sub(product, b.mul(y, sum))};
}
Values native_dropout_backward(Builder& b) {
  return {b.mul(b.mul(b.in(0), b.in(1)), b.node().arg(2))};
}

namespace {

// Indices cut to what the tensor has; the mask tells which of them count.
ArgumentList clamped(Builder& b, Value* x, const Values& indices) {
  ArgumentList result;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (indices[d] == nullptr) {
      result.push_back(Argument());
      continue;
    }
    const Dim size = b.size(x, static_cast<int64_t>(d));
    Argument last = b.argument(size - 1);
    result.push_back(b.clamp(indices[d], b.argument(Dim(0) - size), std::move(last)));
  }
  return result;
}

}  // namespace

Values _unsafe_masked_index(Builder& b) {
  Value* x = b.in(0);
  Value* picked = b.call(Op::index_tensor, {x, clamped(b, x, b.tensors(2))});
  return {b.where(b.in(1), picked, b.node().arg(3))};
}
Values _unsafe_masked_index_put_accumulate(Builder& b) {
  Value* x = b.in(0);
  Value* values = b.where(b.in(1), b.in(3), 0);
  return {b.call(Op::index_put, {x, clamped(b, x, b.tensors(2)), values, true})};
}

Values _chunk_cat(Builder& b) {
  const int64_t dim = b.integer(1);
  const int64_t chunks = b.integer(2);
  Values parts;
  for (Value* x : b.tensors(0)) {
    const int64_t rank = static_cast<int64_t>(x->rank());
    if (chunks <= 0 || dim >= rank || dim < -rank) {
      return b.unsupported("that dim or number of chunks");
    }
    const size_t at = static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(x->rank()) : dim);
    const int64_t size = b.size(x, static_cast<int64_t>(at)).known().value_or(0);
    const int64_t missing = (chunks - size % chunks) % chunks;
    if (missing != 0) {
      Ints pad(2 * (x->rank() - at), 0);
      pad.back() = missing;
      x = b.call(Op::constant_pad_nd, {x, Argument::ints(pad), 0});
    }
    Dims sizes(x->sizes().begin(), x->sizes().begin() + static_cast<int64_t>(at));
    const Dims rest(x->sizes().begin() + static_cast<int64_t>(at), x->sizes().end());
    sizes.insert(sizes.end(), {chunks, ir::floor_div(numel(rest), chunks)});
    parts.push_back(b.view(x, sizes));
  }
  return {b.cat(parts, static_cast<int64_t>(b.out().sizes.size()) - 1)};
}

}  // namespace cresset::passes::decompositions
