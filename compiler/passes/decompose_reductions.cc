// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/passes/decompositions.h"

namespace cresset::passes::decompositions {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The dims of a list argument; None or an empty list means all.
Ints dims_or_all(Builder& b, size_t i) {
  const Ints dims = b.has(i) ? b.ints(i) : Ints{};
  return dims.empty() ? counted(b.in(0)->rank()) : dims;
}

Argument keepdim_or_false(Builder& b, int at) {
  return at < 0 ? Argument(false) : b.node().arg(static_cast<size_t>(at));
}

// The number of elements that a reduction over the dims takes together.
Dim count(Builder& b, Value* x, const Ints& dims) {
  Dim product(1);
  for (const int64_t d : dims) {
    product = product * b.size(x, d);
  }
  return product;
}

Value* variance(Builder& b, const Ints& dims, const Argument& correction, bool keepdim) {
  return b.call(Op::var_correction, {b.in(0), Argument::ints(dims), correction, keepdim});
}

struct VarianceArguments {
  Ints dims;
  Argument correction = 1;
  bool keepdim = false;
};

// (self, unbiased), (self, dim, unbiased, keepdim) or (self, dim, correction, keepdim)
VarianceArguments variance_arguments(Builder& b) {
  VarianceArguments result;
  const ops::Schema& schema = b.node().schema();
  const int dim = schema.find("dim");
  const int unbiased = schema.find("unbiased");
  const int correction = schema.find("correction");
  result.dims = dim < 0 ? counted(b.in(0)->rank()) : dims_or_all(b, static_cast<size_t>(dim));
  if (unbiased >= 0) {
    result.correction = b.flag(static_cast<size_t>(unbiased)) ? 1 : 0;
  } else if (correction >= 0 && b.has(static_cast<size_t>(correction))) {
    result.correction = b.node().arg(static_cast<size_t>(correction));
  }
  const Argument keepdim = keepdim_or_false(b, schema.find("keepdim"));
  result.keepdim = keepdim.boolean();
  return result;
}

Values deviation(Builder& b, bool root, bool with_mean) {
  const VarianceArguments a = variance_arguments(b);
  Value* v = variance(b, a.dims, a.correction, a.keepdim);
  Values results = {root ? b.unary(Op::sqrt, v) : v};
  if (with_mean) {
    results.push_back(b.mean(b.in(0), a.dims, a.keepdim));
  }
  return results;
}

Values vector_norm(Builder& b, Value* x, const Argument& order, const Ints& dims, bool keepdim) {
  const Argument p = order.is_none() ? Argument(2.0) : order;
  return {b.call(Op::linalg_vector_norm, {x, p, Argument::ints(dims), keepdim})};
}

}  // namespace

Values std(Builder& b) { return deviation(b, true, false); }
Values std_dim(Builder& b) { return deviation(b, true, false); }
Values std_correction(Builder& b) { return deviation(b, true, false); }
Values std_mean(Builder& b) { return deviation(b, true, true); }
Values std_mean_dim(Builder& b) { return deviation(b, true, true); }
Values std_mean_correction(Builder& b) { return deviation(b, true, true); }
Values var(Builder& b) { return deviation(b, false, false); }
Values var_dim(Builder& b) { return deviation(b, false, false); }
Values var_mean(Builder& b) { return deviation(b, false, true); }
Values var_mean_dim(Builder& b) { return deviation(b, false, true); }
Values var_mean_correction(Builder& b) { return deviation(b, false, true); }
Values var_correction(Builder& b) {
  const VarianceArguments a = variance_arguments(b);
  Value* x = b.widened(b.in(0));
  const std::optional<int64_t> n = count(b, x, a.dims).known();
  if (!n) {
    return b.unsupported("the number of elements must be known");
  }
  Value* d = b.sub(x, b.mean(x, a.dims, true));
  const double divisor = std::max(static_cast<double>(*n) - a.correction.number(), 0.0);
  return {b.div(b.sum(b.mul(d, d), a.dims, a.keepdim), divisor)};
}

Values sum(Builder& b) {
  return {b.call(Op::sum_dim_intlist,
                 {b.in(0), Argument::ints(counted(b.in(0)->rank())), false, b.node().arg(1)})};
}
Values mean(Builder& b) {
  return {b.call(Op::mean_dim,
                 {b.in(0), Argument::ints(counted(b.in(0)->rank())), false, b.node().arg(1)})};
}
Values max(Builder& b) { return {b.amax(b.in(0), counted(b.in(0)->rank()), false)}; }
Values min(Builder& b) { return {b.amin(b.in(0), counted(b.in(0)->rank()), false)}; }
Values aminmax(Builder& b) {
  const Ints dims = b.has(1) ? Ints{b.integer(1)} : counted(b.in(0)->rank());
  return {b.amin(b.in(0), dims, b.flag(2)), b.amax(b.in(0), dims, b.flag(2))};
}
Values all_dims(Builder& b) {
  Value* inverted = b.logical_not(b.in(0));
  Value* any = b.call(Op::any_dims, {inverted, Argument::ints(dims_or_all(b, 1)), b.flag(2)});
  return {b.unary(Op::logical_not, any)};
}
Values all_dim(Builder& b) {
  Value* any = b.call(Op::any_dim, {b.logical_not(b.in(0)), b.integer(1), b.flag(2)});
  return {b.unary(Op::logical_not, any)};
}
Values all(Builder& b) {
  return {b.unary(Op::logical_not, b.call(Op::any, {b.logical_not(b.in(0))}))};
}
Values count_nonzero(Builder& b) {
  const Ints dims = b.has(1) ? Ints{b.integer(1)} : counted(b.in(0)->rank());
  return {b.sum(b.truth(b.in(0)), dims, false)};
}
Values count_nonzero_dim_intlist(Builder& b) {
  return {b.sum(b.truth(b.in(0)), dims_or_all(b, 1), false)};
}
Values nansum(Builder& b) {
  Value* x = b.in(0);
  if (!is_integral(x->dtype())) {
    x = b.where(b.unary(Op::isnan, x), 0.0, x);
  }
  return {b.call(Op::sum_dim_intlist,
                 {x, Argument::ints(dims_or_all(b, 1)), b.flag(2), b.node().arg(3)})};
}
Values nanmean(Builder& b) {
  Value* x = b.widened(b.in(0));
  const Ints dims = dims_or_all(b, 1);
  Value* bad = b.unary(Op::isnan, x);
  Value* total = b.sum(b.where(bad, 0.0, x), dims, b.flag(2));
  return {b.div(total, b.sum(b.unary(Op::logical_not, bad), dims, b.flag(2)))};
}

Values norm_scalar(Builder& b) {
  return vector_norm(b, b.in(0), b.node().arg(1), counted(b.in(0)->rank()), false);
}
Values norm_scalaropt_dim(Builder& b) {
  return vector_norm(b, b.in(0), b.node().arg(1), dims_or_all(b, 2), b.flag(3));
}
Values norm_scalaropt_dim_dtype(Builder& b) {
  return vector_norm(b, b.cast(b.in(0), b.out().dtype), b.node().arg(1), dims_or_all(b, 2),
                     b.flag(3));
}
Values norm_scalaropt_dtype(Builder& b) {
  return vector_norm(b, b.cast(b.in(0), b.out().dtype), b.node().arg(1), counted(b.in(0)->rank()),
                     false);
}
Values frobenius_norm_dim(Builder& b) {
  return vector_norm(b, b.in(0), 2.0, dims_or_all(b, 1), b.flag(2));
}
Values dist(Builder& b) {
  Value* d = b.sub(b.in(0), b.in(1));
  return vector_norm(b, d, b.node().arg(2), counted(d->rank()), false);
}
Values linalg_vector_norm(Builder& b) {
  Value* x = b.widened(b.in(0));
  const double p = b.number(1);
  const Ints dims = dims_or_all(b, 2);
  const bool keepdim = b.flag(3);
  if (p == 2) {
    return {b.unary(Op::sqrt, b.sum(b.mul(x, x), dims, keepdim))};
  }
  Value* magnitude = b.unary(Op::abs, x);
  if (p == kInfinity) {
    return {b.amax(magnitude, dims, keepdim)};
  }
  if (p == -kInfinity) {
    return {b.amin(magnitude, dims, keepdim)};
  }
  if (p == 0) {
    return {b.cast(b.sum(b.ne(x, 0), dims, keepdim), x->dtype())};
  }
  if (p == 1) {
    return {b.sum(magnitude, dims, keepdim)};
  }
  return {b.pow(b.sum(b.pow(magnitude, p), dims, keepdim), 1 / p)};
}
Values logsumexp(Builder& b) {
  Value* x = b.widened(b.in(0));
  const Ints dims = dims_or_all(b, 1);
  Value* largest = b.amax(x, dims, true);
  largest = b.where(b.unary(Op::isinf, largest), 0.0, largest);
  Value* total = b.unary(Op::log, b.sum(b.unary(Op::exp, b.sub(x, largest)), dims, true));
  Value* y = b.add(total, largest);
  return {b.view(y, b.out().sizes)};
}

Values argsort(Builder& b) {
  return {b.calls(Op::sort, {b.in(0), b.node().arg(1), b.node().arg(2)})[1]};
}
Values argsort_stable(Builder& b) {
  return {b.calls(Op::sort, {b.in(0), b.node().arg(2), b.node().arg(3)})[1]};
}
Values sort_stable(Builder& b) {
  return b.calls(Op::sort, {b.in(0), b.node().arg(2), b.node().arg(3)});
}
Values msort(Builder& b) { return {b.calls(Op::sort, {b.in(0), 0, false})[0]}; }
Values sort(Builder& b) {
  Value* x = b.in(0);
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  return b.calls(Op::topk, {x, b.argument(b.size(x, dim)), dim, b.flag(2), true});
}
Values kthvalue(Builder& b) {
  Value* x = b.in(0);
  if (x->rank() == 0) {
    return b.dim(1) == Dim(1) ? Values{x, b.full({}, Scalar::of_int(0), DType::kInt64)}
                              : b.unsupported("k = " + b.dim(1).text() + " of one element");
  }
  const int64_t dim = static_cast<int64_t>(b.axis(2, x->rank()));
  const Dim size = b.size(x, dim);
  if (b.dim(1).is_known() &&
      (*b.dim(1).known() < 1 || (size.is_known() && *b.dim(1).known() > *size.known()))) {
    return b.unsupported("k = " + b.dim(1).text() + " of " + size.text() + " elements");
  }
  Values sorted = b.calls(Op::sort, {x, dim, false});
  for (Value*& value : sorted) {
    value = b.select(value, dim, b.dim(1) - 1);
    value = b.flag(3) ? b.unsqueeze(value, dim) : value;
  }
  return sorted;
}

Values trace(Builder& b) { return {b.sum(b.call(Op::diagonal_copy, {b.in(0)}), {0}, false)}; }
Values sum_to_size(Builder& b) {
  Value* x = b.in(0);
  const Dims to = b.dims(1);
  if (to.size() > x->rank()) {
    return b.unsupported("more dimensions than there are");
  }
  Ints dims;
  const size_t added = x->rank() - to.size();
  for (size_t d = 0; d < to.size(); ++d) {
    const Dim& size = x->sizes()[added + d];
    if (!(to[d] == Dim(1)) && to[d].is_known() && size.is_known() && !(to[d] == size)) {
      return b.unsupported(ir::sizes_text(x->sizes()) + " to " + ir::sizes_text(to));
    }
  }
  for (size_t d = 0; d < x->rank(); ++d) {
    if (d < added || (to[d - added] == Dim(1) && !(x->sizes()[d] == Dim(1)))) {
      dims.push_back(static_cast<int64_t>(d));
    }
  }
  return {dims.empty() ? x : b.view(b.sum(x, dims, true), to)};
}
Values diff(Builder& b) {
  const int64_t dim = static_cast<int64_t>(b.axis(2, b.in(0)->rank()));
  if (b.integer(1) < 0) {
    return b.unsupported("a negative order");
  }
  if (b.integer(1) == 0) {
    return {b.in(0)};
  }
  Values parts;
  for (const size_t i : {size_t{3}, size_t{0}, size_t{4}}) {
    if (b.in(i) != nullptr) {
      parts.push_back(b.in(i));
    }
  }
  Value* x = b.cat(parts, dim);
  for (int64_t i = 0; i < b.integer(1); ++i) {
    const Dim length = b.size(x, dim) - 1;
    if (length == Dim(-1) || length == Dim(0)) {
      x = b.narrow(x, dim, 0, 0);
      break;
    }
    Value* high = b.narrow(x, dim, 1, length);
    Value* low = b.narrow(x, dim, 0, length);
    x = x->dtype() == DType::kBool ? b.call(Op::logical_xor, {high, low}) : b.sub(high, low);
  }
  return {x};
}

namespace {

Value* trapezoids(Builder& b, const Argument& spacing) {
  Value* y = b.in(0);
  const int64_t dim = static_cast<int64_t>(b.axis(2, y->rank()));
  const Dim length = b.size(y, dim) - 1;
  Value* sum = b.add(b.narrow(y, dim, 1, length), b.narrow(y, dim, 0, length));
  if (!is_tensor(spacing)) {
    return b.mul(sum, spacing.number() / 2);
  }
  Value* x = spacing.value();
  if (x->rank() == 1 && y->rank() > 1) {
    Dims sizes(y->rank(), Dim(1));
    sizes[static_cast<size_t>(dim)] = b.size(x, 0);
    x = b.view(x, sizes);
  }
  Value* steps = b.sub(b.narrow(x, dim, 1, length), b.narrow(x, dim, 0, length));
  return b.mul(b.mul(sum, steps), 0.5);
}

Values trapezoid(Builder& b) {
  return {b.sum(trapezoids(b, b.node().arg(1)), {static_cast<int64_t>(b.axis(2, b.in(0)->rank()))},
                false)};
}
Values running_trapezoid(Builder& b) {
  return {b.call(Op::cumsum, {trapezoids(b, b.node().arg(1)),
                              static_cast<int64_t>(b.axis(2, b.in(0)->rank()))})};
}

}  // namespace

Values trapezoid_dx(Builder& b) { return trapezoid(b); }
Values trapezoid_x(Builder& b) { return trapezoid(b); }
Values cumulative_trapezoid_dx(Builder& b) { return running_trapezoid(b); }
Values cumulative_trapezoid_x(Builder& b) { return running_trapezoid(b); }
Values trapz_dx(Builder& b) { return trapezoid(b); }
Values trapz_x(Builder& b) { return trapezoid(b); }

Values logcumsumexp(Builder& b) {
  Value* x = b.widened(b.in(0));
  const int64_t dim = b.integer(1);
  if (x->rank() == 0) {
    return {x};
  }
  // NaN counts from its place on only.
  Value* largest = b.amax(b.where(b.unary(Op::isnan, x), -kInfinity, x), {dim}, true);
  largest = b.where(b.unary(Op::isinf, largest), 0.0, largest);
  Value* sums = b.call(Op::cumsum, {b.unary(Op::exp, b.sub(x, largest)), dim});
  return {b.add(b.unary(Op::log, sums), largest)};
}

Values cov(Builder& b) {
  Value* x = b.widened(b.in(0));
  if (x->rank() > 2) {
    return b.unsupported("more than two dimensions");
  }
  x = x->rank() < 2 ? b.view(x, {1, numel(x->sizes())}) : x;
  const double correction = static_cast<double>(b.integer(1));
  Value* repeats = b.has(2) ? b.cast(b.in(2), x->dtype()) : nullptr;
  Value* importance = b.has(3) ? b.cast(b.in(3), x->dtype()) : nullptr;
  Value* weights = repeats == nullptr      ? importance
                   : importance == nullptr ? repeats
                                           : b.mul(repeats, importance);
  if (weights == nullptr) {
    weights = b.full({b.size(x, 1)}, 1.0, x->dtype());
  }
  Value* total = b.sum(weights, {0}, false);
  Value* centred = b.sub(x, b.div(b.sum(b.mul(x, weights), {1}, true), total));
  Value* product = b.mm(b.mul(centred, weights), b.transpose(centred, 0, 1));
  Value* lost = importance == nullptr || correction == 0
                    ? nullptr
                    : b.div(b.sum(b.mul(weights, importance), {0}, false), total);
  Value* norm = lost == nullptr ? b.sub(total, correction) : b.sub(total, b.mul(lost, correction));
  return {b.view(b.div(product, b.clamp(norm, 0.0, Argument())), b.out().sizes)};
}

}  // namespace cresset::passes::decompositions
