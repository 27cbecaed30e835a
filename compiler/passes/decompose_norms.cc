// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/decompositions.h"

namespace cresset::passes {

Value* per_channel(Builder& b, Value* parameter, size_t rank) {
  Dims sizes(rank, Dim(1));
  sizes[rank > 1 ? 1 : 0] = b.size(parameter, 0);
  return b.view(parameter, sizes);
}

namespace {

Value* scaled_and_shifted(Builder& b, Value* x, Value* weight, Value* bias) {
  if (weight != nullptr) {
    x = b.mul(x, per_channel(b, weight, x->rank()));
  }
  return bias == nullptr ? x : b.add(x, per_channel(b, bias, x->rank()));
}

Argument optional(Value* value) { return value == nullptr ? Argument() : Argument(value); }

}  // namespace

Value* batch_norm_training(Builder& b, Value* x, Value* weight, Value* bias, double eps,
                           Value** mean, Value** rstd) {
  Value* wide = b.widened(x);
  Ints over;
  for (size_t d = 0; d < x->rank(); ++d) {
    if (d != 1) {
      over.push_back(static_cast<int64_t>(d));
    }
  }
  *mean = b.mean(wide, over, false);
  Value* variance = b.call(Op::var_correction, {wide, Argument::ints(over), Argument(0), false});
  *rstd = b.unary(Op::rsqrt, b.add(variance, eps));
  Value* y = b.mul(b.sub(wide, per_channel(b, *mean, x->rank())), per_channel(b, *rstd, x->rank()));
  return scaled_and_shifted(b, y, weight, bias);
}

namespace decompositions {

namespace {

Value* normalised(Builder& b, Value* mean, Value* variance, double eps) {
  return b.calls(Op::_native_batch_norm_legit_no_training,
                 {b.in(0), optional(b.in(1)), optional(b.in(2)), mean, variance, 0.0, eps})[0];
}

// With the statistics of the batch, which nothing keeps: functionalize has seen to running ones.
Values from_batch(Builder& b, double eps) {
  Value* mean = nullptr;
  Value* rstd = nullptr;
  Value* y = batch_norm_training(b, b.in(0), b.in(1), b.in(2), eps, &mean, &rstd);
  return {y, mean, rstd};
}

}  // namespace

Values batch_norm(Builder& b) {
  if (numel(b.in(0)->sizes()) == Dim(0)) {
    return {b.in(0)};  // of any rank
  }
  const double eps = b.number(7);
  return b.flag(5) || !b.has(3) ? from_batch(b, eps) : Values{normalised(b, b.in(3), b.in(4), eps)};
}
Values native_batch_norm(Builder& b) {
  const double eps = b.number(7);
  if (b.flag(5) || !b.has(3)) {
    return from_batch(b, eps);
  }
  Value* none = b.full({Dim(0)}, 0.0, DType::kFloat32);
  return {normalised(b, b.in(3), b.in(4), eps), none, none};
}
Values _native_batch_norm_legit(Builder& b) { return native_batch_norm(b); }
Values _native_batch_norm_legit_no_stats(Builder& b) { return from_batch(b, b.number(5)); }
Values _batch_norm_impl_index(Builder& b) { return native_batch_norm(b); }

// Rows of targets that lack the kernel: the formula itself.
Values _native_batch_norm_legit_no_training(Builder& b) {
  Value* x = b.widened(b.in(0));
  Value* rstd = b.unary(Op::rsqrt, b.add(b.in(4), b.number(6)));
  Value* y = b.mul(b.sub(x, per_channel(b, b.in(3), x->rank())), per_channel(b, rstd, x->rank()));
  Value* none = b.full({Dim(0)}, 0.0, DType::kFloat32);
  return {scaled_and_shifted(b, y, b.in(1), b.in(2)), none, none};
}

Values layer_norm(Builder& b) {
  return {b.calls(Op::native_layer_norm,
                  {b.in(0), b.node().arg(1), b.node().arg(2), b.node().arg(3), b.number(4)})[0]};
}

Values native_layer_norm(Builder& b) {
  Value* x = b.widened(b.in(0));
  const size_t count = b.dims(1).size();
  Ints over;
  for (size_t d = 0; d < count; ++d) {
    over.push_back(static_cast<int64_t>(x->rank() - count + d));
  }
  Value* mean = b.mean(x, over, true);
  Value* variance = b.call(Op::var_correction, {x, Argument::ints(over), Argument(0), true});
  Value* rstd = b.unary(Op::rsqrt, b.add(variance, b.number(4)));
  Value* y = b.mul(b.sub(x, mean), rstd);
  y = b.has(2) ? b.mul(y, b.in(2)) : y;
  return {b.has(3) ? b.add(y, b.in(3)) : y, mean, rstd};
}

namespace {

Value* group_normalised(Builder& b, Value* x, Value* weight, Value* bias, const Dim& groups,
                        double eps) {
  Dim pixels(1);
  for (size_t d = 2; d < x->rank(); ++d) {
    pixels = pixels * x->sizes()[d];
  }
  Argument n = b.argument(b.size(x, 0));
  Argument c = b.argument(b.size(x, 1));
  return b.calls(Op::native_group_norm, {x, optional(weight), optional(bias), n, c,
                                         b.argument(pixels), b.argument(groups), eps})[0];
}

}  // namespace

Values group_norm(Builder& b) {
  return {group_normalised(b, b.in(0), b.in(2), b.in(3), b.dim(1), b.number(4))};
}

Values native_group_norm(Builder& b) {
  Value* x = b.widened(b.in(0));
  const Dim n = b.size(x, 0);
  const Dim groups = b.dim(6);
  Value* rows = b.view(x, {n, groups, ir::floor_div(numel(x->sizes()), n * groups)});
  Value* mean = b.mean(rows, {2}, true);
  Value* variance = b.call(Op::var_correction, {rows, Argument::ints({2}), Argument(0), true});
  Value* rstd = b.unary(Op::rsqrt, b.add(variance, b.number(7)));
  Value* y = b.view(b.mul(b.sub(rows, mean), rstd), x->sizes());
  return {scaled_and_shifted(b, y, b.in(1), b.in(2)), b.view(mean, {n, groups}),
          b.view(rstd, {n, groups})};
}

Values instance_norm(Builder& b) {
  const double eps = b.number(7);
  if (!b.flag(5)) {
    return {normalised(b, b.in(3), b.in(4), eps)};
  }
  Value* x = b.in(0);
  return {group_normalised(b, x, b.in(1), b.in(2), b.size(x, 1), eps)};
}

Values rms_norm(Builder& b) {
  Value* x = b.in(0);
  const DType dtype = x->dtype();
  const double eps = b.has(3)                    ? b.number(3)
                     : dtype == DType::kFloat16  ? 0x1p-10
                     : dtype == DType::kBFloat16 ? 0x1p-7
                     : dtype == DType::kFloat64  ? 0x1p-52
                                                 : 0x1p-23;
  const size_t count = b.dims(1).size();
  const Ints over = counted(count, static_cast<int64_t>(x->rank() - count));
  Value* wide = b.widened(x);
  Value* rstd = b.unary(Op::rsqrt, b.add(b.mean(b.mul(wide, wide), over, true), eps));
  Value* y = b.mul(wide, rstd);
  return {b.has(2) ? b.mul(y, b.in(2)) : y};
}

Values _weight_norm(Builder& b) {
  Value* v = b.in(0);
  Ints over;
  const int64_t kept = b.integer(2);
  for (size_t d = 0; d < v->rank(); ++d) {
    if (kept < 0 ? kept == -1 || static_cast<int64_t>(d) != kept + static_cast<int64_t>(v->rank())
                 : static_cast<int64_t>(d) != kept) {
      over.push_back(static_cast<int64_t>(d));
    }
  }
  Value* norm = b.unary(Op::sqrt, b.sum(b.mul(v, v), over, true));
  return {b.mul(v, b.div(b.in(1), norm)), norm};
}
Values _weight_norm_interface(Builder& b) {
  Values results = _weight_norm(b);
  return {results[0], b.view(results[1], b.out(1).sizes)};
}

Values norm_except_dim(Builder& b) {
  Value* v = b.in(0);
  const double p = b.number(1);
  const int64_t kept = b.integer(2);
  Ints over;
  for (size_t d = 0; d < v->rank(); ++d) {
    if (kept == -1 || static_cast<int64_t>(d) != kept) {
      over.push_back(static_cast<int64_t>(d));
    }
  }
  Value* powers = b.pow(b.unary(Op::abs, v), p);
  return {b.view(b.pow(b.sum(powers, over, true), 1 / p), b.out().sizes)};
}

}  // namespace decompositions
}  // namespace cresset::passes
