// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "compiler/passes/decompositions.h"

// Distributions in terms of uniform and normal numbers (the rows rand and randn).
namespace cresset::passes::decompositions {

namespace {

// What distributions with this dtype are computed in.
DType wide(DType dtype) { return dtype == DType::kFloat64 ? dtype : DType::kFloat32; }

Value* drawn(Builder& b, Op row, const Dims& sizes, DType dtype) {
  return b.typed(row, {b.arguments(sizes), dtype}, {dtype, sizes, {}});
}
Value* uniform(Builder& b, const Dims& sizes, DType dtype) {
  return drawn(b, Op::rand, sizes, dtype);
}
Value* normal(Builder& b, const Dims& sizes, DType dtype) {
  return drawn(b, Op::randn, sizes, dtype);
}

// Numbers of the result's sizes and dtype.
Values like(Builder& b, Op row) { return {drawn(b, row, b.out().sizes, b.out().dtype)}; }

// Integers in [low, high). In float64, so that none is missed or favoured.
Values integers(Builder& b, const Dim& low, const Dim& high, const Dims& sizes) {
  if (low.is_known() && high.is_known() && *low.known() >= *high.known()) {
    return b.unsupported("the range [" + low.text() + ", " + high.text() + ")");
  }
  Value* u = uniform(b, sizes, DType::kFloat64);
  Value* steps = b.unary(Op::floor, b.mul(u, b.argument(high - low)));
  return {b.cast(b.add(steps, b.argument(low)), b.out().dtype)};
}

// -log(1 - u), which is never infinite.
Value* exponential(Builder& b, const Dims& sizes, DType dtype) {
  Value* u = uniform(b, sizes, dtype);
  return b.unary(Op::neg, b.unary(Op::log1p, b.unary(Op::neg, u)));
}

// A distribution of self's sizes.
template <class F>
Values filled(Builder& b, F&& f) {
  const DType dtype = wide(b.in(0)->dtype());
  return {b.cast(f(b.in(0)->sizes(), dtype), b.out().dtype)};
}

Value* scaled_normal(Builder& b, const Dims& sizes, DType dtype, Argument mean, Argument std) {
  return b.add(b.mul(normal(b, sizes, wide(dtype)), std::move(std)), std::move(mean));
}

bool check(Builder& b, bool holds, const char* what) {
  if (!holds) {
    b.fail(what);
  }
  return holds;
}

}  // namespace

Values rand_like(Builder& b) { return like(b, Op::rand); }
Values randn_like(Builder& b) { return like(b, Op::randn); }

Values randint(Builder& b) { return integers(b, 0, b.dim(0), b.dims(1)); }
Values randint_generator(Builder& b) { return randint(b); }
Values randint_low(Builder& b) { return integers(b, b.dim(0), b.dim(1), b.dims(2)); }
Values randint_low_generator(Builder& b) { return randint_low(b); }
Values randint_like(Builder& b) { return integers(b, 0, b.dim(1), b.in(0)->sizes()); }
Values randint_like_low_dtype(Builder& b) {
  return integers(b, b.dim(1), b.dim(2), b.in(0)->sizes());
}
Values randperm(Builder& b) {
  if (b.dim(0).is_known() && *b.dim(0).known() < 0) {
    return b.unsupported("a negative number of elements");
  }
  Value* keys = uniform(b, {b.dim(0)}, DType::kFloat64);
  return {b.cast(b.calls(Op::sort, {keys, 0, false})[1], b.out().dtype)};
}

Values bernoulli(Builder& b) {
  Value* p = b.in(0);
  Value* u = uniform(b, p->sizes(), wide(p->dtype()));
  return {b.cast(b.lt(u, b.cast(p, wide(p->dtype()))), b.out().dtype)};
}
Values bernoulli_p(Builder& b) {
  const double p = b.number(1);
  check(b, p >= 0 && p <= 1, "p must lie in [0, 1]");
  return {b.cast(b.lt(uniform(b, b.in(0)->sizes(), DType::kFloat32), p), b.out().dtype)};
}

Values uniform_(Builder& b) {
  const double from = b.number(1), to = b.number(2);
  check(b, from <= to, "from must not be above to");
  return filled(b, [&](const Dims& sizes, DType dtype) {
    return b.add(b.mul(uniform(b, sizes, dtype), to - from), from);
  });
}
Values normal_(Builder& b) {
  check(b, b.number(2) >= 0, "std must not be negative");
  return filled(b, [&](const Dims& sizes, DType dtype) {
    return scaled_normal(b, sizes, dtype, b.number(1), b.number(2));
  });
}
Values exponential_(Builder& b) {
  check(b, b.number(1) > 0, "lambd must be above 0");
  return filled(b, [&](const Dims& sizes, DType dtype) {
    return b.div(exponential(b, sizes, dtype), b.number(1));
  });
}
Values geometric_(Builder& b) {
  const double p = b.number(1);
  if (!check(b, p > 0 && p < 1, "p must lie in (0, 1)")) {
    return b.unsupported("p");
  }
  return filled(b, [&](const Dims& sizes, DType dtype) {
    Value* trials = b.unary(Op::ceil, b.div(exponential(b, sizes, dtype), -std::log1p(-p)));
    return b.clamp(trials, 1.0, Argument());
  });
}
Values log_normal_(Builder& b) {
  check(b, b.number(2) > 0, "std must be above 0");
  return filled(b, [&](const Dims& sizes, DType dtype) {
    return b.unary(Op::exp, scaled_normal(b, sizes, dtype, b.number(1), b.number(2)));
  });
}
Values cauchy_(Builder& b) {
  check(b, b.number(2) > 0, "sigma must be above 0");
  return filled(b, [&](const Dims& sizes, DType dtype) {
    Value* angle = b.mul(b.sub(uniform(b, sizes, dtype), 0.5), 3.141592653589793);
    return b.add(b.mul(b.unary(Op::tan, angle), b.number(2)), b.number(1));
  });
}

Values normal_float_float(Builder& b) {
  check(b, b.number(1) >= 0, "std must not be negative");
  return {scaled_normal(b, b.dims(2), b.out().dtype, b.number(0), b.number(1))};
}
Values normal_float_tensor(Builder& b) {
  Value* std = b.in(1);
  return {scaled_normal(b, std->sizes(), std->dtype(), b.number(0), std)};
}
Values normal_tensor_float(Builder& b) {
  check(b, b.number(1) >= 0, "std must not be negative");
  return {scaled_normal(b, b.in(0)->sizes(), b.in(0)->dtype(), b.in(0), b.number(1))};
}
Values normal_tensor_tensor(Builder& b) {
  return {scaled_normal(b, b.out().sizes, b.out().dtype, b.in(0), b.in(1))};
}

// With replacement: where a uniform number falls among the sums of the weights. Without: the race
// of exponential clocks; who rings first is drawn first.
Values multinomial(Builder& b) {
  Value* weights = b.in(0);
  const DType dtype = wide(weights->dtype());
  weights = b.cast(weights, dtype);
  const Dim count = b.dim(1);
  const Dim categories = b.size(weights, -1);
  if (count.is_known() && (*count.known() <= 0 || (!b.flag(2) && categories.is_known() &&
                                                   *count.known() > *categories.known()))) {
    return b.unsupported("that number of samples");
  }
  if (!b.flag(2)) {
    Value* clocks = b.div(exponential(b, weights->sizes(), dtype), weights);
    return {b.calls(Op::topk, {clocks, b.argument(count), -1, false, true})[1]};
  }
  Dims sizes(weights->sizes().begin(), weights->sizes().end() - 1);
  sizes.push_back(count);
  Value* sums = b.call(Op::cumsum, {weights, -1});
  Value* total = b.narrow(sums, -1, categories - Dim(1), 1);
  Value* at = b.mul(uniform(b, sizes, dtype), total);
  Value* below = b.le(b.unsqueeze(sums, -2), b.unsqueeze(at, -1));
  Value* index = b.sum(b.cast(below, DType::kInt64), {-1}, false);
  return {b.clamp(index, Argument(), b.argument(categories - Dim(1)))};
}

namespace {

// In training, 1 where an element (or a feature: all of dimensions 2 and on) stays and 0 where it
// is dropped; null where dropout does nothing.
Value* stays(Builder& b, bool features) {
  const double p = b.number(1);
  check(b, p >= 0 && p <= 1, "p must lie in [0, 1]");
  if (b.node().arg("train") == Argument(false) || p == 0) {
    return nullptr;
  }
  Dims sizes = b.in(0)->sizes();
  for (size_t d = 2; d < sizes.size() && features; ++d) {
    sizes[d] = 1;
  }
  const DType dtype = wide(b.in(0)->dtype());
  return b.cast(b.ge(uniform(b, sizes, dtype), p), dtype);
}

Values dropped(Builder& b, bool features) {
  Value* mask = stays(b, features);
  const double p = b.number(1);
  const double scale = p == 1 ? 0 : 1 / (1 - p);
  return {mask == nullptr ? b.in(0) : b.mul(b.mul(b.widened(b.in(0)), mask), scale)};
}

// Dropped elements get the value to which selu tends; scale and shift keep mean and variance.
Values alpha_dropped(Builder& b, bool features) {
  Value* mask = stays(b, features);
  if (mask == nullptr) {
    return {b.in(0)};
  }
  constexpr double kAlpha = 1.7580993408473766;
  const double p = b.number(1);
  const double scale = p == 1 ? 0 : 1 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  Value* kept = b.mul(b.widened(b.in(0)), mask);
  Value* filled_in = b.mul(b.sub(mask, 1.0), kAlpha);
  return {b.add(b.mul(b.add(kept, filled_in), scale), kAlpha * scale * p)};
}

}  // namespace

Values dropout(Builder& b) { return dropped(b, false); }
Values feature_dropout(Builder& b) { return dropped(b, true); }
Values alpha_dropout(Builder& b) { return alpha_dropped(b, false); }
Values feature_alpha_dropout(Builder& b) { return alpha_dropped(b, true); }
Values native_dropout(Builder& b) {
  Value* mask = stays(b, false);
  if (mask == nullptr) {
    return {b.in(0), b.full(b.in(0)->sizes(), Scalar::of_bool(true), DType::kBool)};
  }
  const double p = b.number(1);
  Value* y = b.mul(b.mul(b.widened(b.in(0)), mask), p == 1 ? 0 : 1 / (1 - p));
  return {y, b.truth(mask)};
}
// In training, slopes are drawn between the bounds.
Values rrelu(Builder& b) {
  Value* x = b.widened(b.in(0));
  const double lower = b.number(1), upper = b.number(2);
  if (!b.flag(3)) {
    return {b.where(b.ge(x, 0), x, b.mul(x, (lower + upper) / 2))};
  }
  Value* slope = b.add(b.mul(uniform(b, x->sizes(), x->dtype()), upper - lower), lower);
  return {b.where(b.ge(x, 0), x, b.mul(x, slope))};
}

}  // namespace cresset::passes::decompositions
