// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "compiler/passes/decompositions.h"

namespace cresset::passes::decompositions {

namespace {

// Reductions as PyTorch numbers them: 0 none, 1 mean, 2 sum.
Values reduced(Builder& b, Value* loss, int64_t reduction) {
  const Ints all = counted(loss->rank());
  return {reduction == 0   ? loss
          : reduction == 1 ? b.mean(loss, all, false)
                           : b.sum(loss, all, false)};
}

Value* wide(Builder& b, size_t i) { return b.widened(b.in(i)); }

Value* softmaxed(Builder& b, Op op) {
  Value* x = b.has(2) ? b.cast(b.in(0), b.dtype(2, DType::kFloat32)) : b.in(0);
  return b.call(op, {is_integral(x->dtype()) ? b.widened(x) : x, b.integer(1), false});
}

// exp(x) and the sum over a dimension, after the largest element is taken away.
Value* without_largest(Builder& b, Value* x, int64_t dim) {
  return x->rank() == 0 ? b.sub(x, x) : b.sub(x, b.amax(x, {dim}, true));
}

}  // namespace

Values softmax_int(Builder& b) { return {softmaxed(b, Op::_softmax)}; }
Values log_softmax_int(Builder& b) { return {softmaxed(b, Op::_log_softmax)}; }
Values _softmax(Builder& b) {
  Value* e = b.unary(Op::exp, without_largest(b, wide(b, 0), b.integer(1)));
  return {b.div(e, b.sum(e, {b.integer(1)}, true))};
}
Values _log_softmax(Builder& b) {
  Value* x = without_largest(b, wide(b, 0), b.integer(1));
  return {b.sub(x, b.unary(Op::log, b.sum(b.unary(Op::exp, x), {b.integer(1)}, true)))};
}

Values mse_loss(Builder& b) {
  Value* d = b.sub(b.in(0), b.in(1));
  return reduced(b, b.mul(d, d), b.integer(2));
}
Values l1_loss(Builder& b) {
  return reduced(b, b.unary(Op::abs, b.sub(b.in(0), b.in(1))), b.integer(2));
}
Values smooth_l1_loss(Builder& b) {
  const double beta = b.number(3);
  Value* d = b.unary(Op::abs, b.sub(b.in(0), b.in(1)));
  if (beta == 0) {
    return reduced(b, d, b.integer(2));
  }
  Value* loss = b.where(b.lt(d, beta), b.mul(b.mul(d, d), 0.5 / beta), b.sub(d, 0.5 * beta));
  return reduced(b, loss, b.integer(2));
}
Values huber_loss(Builder& b) {
  const double delta = b.number(3);
  Value* d = b.unary(Op::abs, b.sub(wide(b, 0), wide(b, 1)));
  Value* loss =
      b.where(b.le(d, delta), b.mul(b.mul(d, d), 0.5), b.mul(b.sub(d, 0.5 * delta), delta));
  return reduced(b, loss, b.integer(2));
}
Values binary_cross_entropy(Builder& b) {
  Value* x = wide(b, 0);
  Value* y = wide(b, 1);
  Value* log_x = b.clamp(b.unary(Op::log, x), -100.0, Argument());
  Value* log_rest = b.clamp(b.unary(Op::log1p, b.unary(Op::neg, x)), -100.0, Argument());
  Value* loss = b.sub(b.mul(b.sub(y, 1.0), log_rest), b.mul(y, log_x));
  return reduced(b, b.has(2) ? b.mul(loss, b.in(2)) : loss, b.integer(3));
}
Values binary_cross_entropy_with_logits(Builder& b) {
  Value* x = wide(b, 0);
  Value* y = wide(b, 1);
  // log(sigmoid(x)), from which log(1 - sigmoid(x)) is x away.
  Value* log_sigmoid =
      b.sub(b.clamp(x, Argument(), 0.0),
            b.unary(Op::log1p, b.unary(Op::exp, b.unary(Op::neg, b.unary(Op::abs, x)))));
  Value* loss = nullptr;
  if (b.has(3)) {
    Value* weight = b.add(b.mul(b.sub(b.in(3), 1.0), y), 1.0);
    loss = b.sub(b.mul(b.sub(1.0, y), x), b.mul(weight, log_sigmoid));
  } else {
    loss = b.sub(b.mul(b.sub(1.0, y), x), log_sigmoid);
  }
  return reduced(b, b.has(2) ? b.mul(loss, b.in(2)) : loss, b.integer(4));
}
Values kl_div(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.in(1);
  Value* loss = nullptr;
  if (b.flag(3)) {
    loss = b.mul(b.unary(Op::exp, y), b.sub(y, x));
  } else {
    Value* log_y = b.where(b.gt(y, 0), b.mul(y, b.unary(Op::log, y)), b.mul(y, 0.0));
    loss = b.sub(log_y, b.mul(y, x));
  }
  return reduced(b, loss, b.integer(2));
}
Values soft_margin_loss(Builder& b) {
  Value* product = b.mul(b.unary(Op::neg, b.in(1)), b.in(0));
  return reduced(b, b.unary(Op::log1p, b.unary(Op::exp, product)), b.integer(2));
}
Values hinge_embedding_loss(Builder& b) {
  Value* x = wide(b, 0);
  Value* y = b.in(1);
  Value* margin = b.clamp(b.sub(b.number(2), x), 0.0, Argument());
  Value* loss =
      b.add(b.where(b.ne(y, 1), margin, b.mul(x, 0.0)), b.where(b.ne(y, -1), x, b.mul(x, 0.0)));
  return reduced(b, loss, b.integer(3));
}
Values margin_ranking_loss(Builder& b) {
  Value* x = b.mul(b.unary(Op::neg, b.in(2)), b.sub(b.in(0), b.in(1)));
  return reduced(b, b.clamp(b.add(x, b.number(3)), 0.0, Argument()), b.integer(4));
}
Values poisson_nll_loss(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.in(1);
  const double eps = b.number(4);
  Value* loss = b.flag(2) ? b.sub(b.unary(Op::exp, x), b.mul(y, x))
                          : b.sub(x, b.mul(y, b.unary(Op::log, b.add(x, eps))));
  if (b.flag(3)) {
    Value* stirling = b.add(b.sub(b.mul(y, b.unary(Op::log, y)), y),
                            b.mul(b.unary(Op::log, b.mul(y, 2 * 3.14159265358979323846)), 0.5));
    loss = b.add(loss, b.where(b.gt(y, 1), stirling, 0.0));
  }
  return reduced(b, loss, b.integer(5));
}

namespace {

Value* cosine(Builder& b, Value* x, Value* y, int64_t dim, double eps) {
  const auto norm = [&](Value* v) {
    return b.clamp(b.unary(Op::sqrt, b.sum(b.mul(v, v), {dim}, true)), eps, Argument());
  };
  return b.sum(b.mul(b.div(x, norm(x)), b.div(y, norm(y))), {dim}, false);
}

Value* distance(Builder& b, Value* x, Value* y, double p, double eps, bool keepdim) {
  return b.call(Op::linalg_vector_norm,
                {b.add(b.sub(x, y), eps), p, Argument::ints({-1}), keepdim});
}

// The negative log likelihoods of class targets over dimension 1 (or 0 of a vector).
struct Likelihoods {
  Value* losses = nullptr;   // of the targets' shape
  Value* weights = nullptr;  // likewise: 0 where ignored
};

Likelihoods negative_log_likelihood(Builder& b, Value* x, Value* target, Value* weight,
                                    const Dim& ignored) {
  const int64_t dim = x->rank() > 1 ? 1 : 0;
  Value* kept = b.ne(target, b.argument(ignored));
  Value* safe = b.where(kept, target, 0);
  Value* picked = b.squeeze(b.call(Op::gather, {x, dim, b.unsqueeze(safe, dim)}), dim);
  Value* weights = nullptr;
  if (weight == nullptr) {
    weights = b.cast(kept, x->dtype());
  } else {
    Value* flat = b.call(Op::index_select, {weight, 0, b.view(safe, {numel(safe->sizes())})});
    weights = b.where(kept, b.view(flat, safe->sizes()), 0.0);
  }
  Value* zero = b.full(picked->sizes(), 0.0, picked->dtype());
  return {b.where(kept, b.unary(Op::neg, b.mul(picked, weights)), zero), weights};
}

Values reduced_likelihood(Builder& b, const Likelihoods& nll, int64_t reduction) {
  const Ints all = counted(nll.losses->rank());
  Value* total_weight = b.sum(nll.weights, all, false);
  if (reduction == 0) {  // there is no total, but for a lone row
    return {nll.losses, nll.losses->rank() == 0 ? total_weight : b.mul(total_weight, 0)};
  }
  Value* sum = b.sum(nll.losses, all, false);
  return {reduction == 2 ? sum : b.div(sum, total_weight), total_weight};
}

Values nll(Builder& b) {
  return reduced_likelihood(b, negative_log_likelihood(b, wide(b, 0), b.in(1), b.in(2), b.dim(4)),
                            b.integer(3));
}

}  // namespace

Values nll_loss(Builder& b) { return {nll(b)[0]}; }
Values nll_loss_nd(Builder& b) { return {nll(b)[0]}; }
Values nll_loss2d(Builder& b) { return {nll(b)[0]}; }
Values nll_loss_forward(Builder& b) { return nll(b); }
Values nll_loss2d_forward(Builder& b) { return nll(b); }

Values cross_entropy_loss(Builder& b) {
  Value* x = wide(b, 0);
  Value* target = b.in(1);
  Value* weight = b.in(2);
  const int64_t reduction = b.integer(3);
  const double smoothing = b.number(5);
  const int64_t dim = x->rank() > 1 ? 1 : 0;
  const double classes = static_cast<double>(b.size(x, dim).known().value_or(0));
  Value* logs = b.call(Op::_log_softmax, {x, dim, false});
  Value* weighted = logs;
  if (weight != nullptr) {
    weighted = b.mul(logs, x->rank() > 1 ? per_channel(b, weight, x->rank()) : weight);
  }
  if ((smoothing != 0 || is_floating(target->dtype())) && classes == 0) {
    return b.unsupported("the number of classes must be known");
  }
  if (is_floating(target->dtype())) {  // probabilities
    if (smoothing != 0) {
      target = b.add(b.mul(target, 1 - smoothing), smoothing / classes);
    }
    Value* loss = b.unary(Op::neg, b.sum(b.mul(weighted, target), {dim}, false));
    if (reduction != 1 || loss->rank() == 0) {
      return reduced(b, loss, reduction == 1 ? 0 : reduction);
    }
    return {b.mean(loss, counted(loss->rank()), false)};
  }
  const Likelihoods nll = negative_log_likelihood(b, logs, target, weight, b.dim(4));
  Values result = reduced_likelihood(b, nll, reduction);
  if (smoothing == 0) {
    return {result[0]};
  }
  Value* smooth = b.unary(Op::neg, b.sum(weighted, {dim}, false));
  Value* kept = b.ne(target, b.argument(b.dim(4)));
  smooth = b.where(kept, smooth, 0.0);
  if (reduction != 0) {
    smooth = b.sum(smooth, counted(smooth->rank()), false);
  }
  if (reduction == 1) {
    smooth = b.div(smooth, result[1]);
  }
  return {b.add(b.mul(result[0], 1 - smoothing), b.mul(smooth, smoothing / classes))};
}

Values cosine_similarity(Builder& b) {
  const size_t rank = std::max(b.in(0)->rank(), b.in(1)->rank());
  const int64_t dim = b.integer(2);
  Value* x = wide(b, 0);
  Value* y = wide(b, 1);
  const int64_t from_last = dim < 0 ? dim : dim - static_cast<int64_t>(rank);
  // Sizes of 1 count as often as the other side's: to one shape first.
  Dims sizes(rank, Dim(1));
  for (const Value* side : {x, y}) {
    for (size_t d = 0; d < side->rank(); ++d) {
      Dim& size = sizes[rank - side->rank() + d];
      size = size == Dim(1) ? side->sizes()[d] : size;
    }
  }
  x = b.expand(x, sizes);
  y = b.expand(y, sizes);
  return {cosine(b, x, y, from_last, b.number(3))};
}
Values cosine_embedding_loss(Builder& b) {
  Value* cos = cosine(b, wide(b, 0), wide(b, 1), -1, 1e-12);
  Value* y = b.in(2);
  Value* alike = b.sub(1.0, cos);
  Value* apart = b.clamp(b.sub(cos, b.number(3)), 0.0, Argument());
  Value* zero = b.mul(cos, 0.0);
  return reduced(b, b.add(b.where(b.eq(y, 1), alike, zero), b.where(b.eq(y, -1), apart, zero)),
                 b.integer(4));
}
Values pairwise_distance(Builder& b) {
  return {distance(b, b.in(0), b.in(1), b.number(2), b.number(3), b.flag(4))};
}
Values triplet_margin_loss(Builder& b) {
  const double p = b.number(4);
  const double eps = b.number(5);
  Value* near = distance(b, b.in(0), b.in(1), p, eps, false);
  Value* far = distance(b, b.in(0), b.in(2), p, eps, false);
  if (b.flag(6)) {
    far = b.minimum(far, distance(b, b.in(1), b.in(2), p, eps, false));
  }
  return reduced(b, b.clamp(b.add(b.sub(near, far), b.number(3)), 0.0, Argument()), b.integer(7));
}
Values multi_margin_loss(Builder& b) {
  Value* x = b.in(0);
  x = x->rank() == 0 ? b.view(x, {1, 1}) : x->rank() == 1 ? b.unsqueeze(x, 0) : x;
  Value* target = b.view(b.in(1), {b.size(x, 0), 1});
  const Dim classes = b.size(x, 1);
  Value* z = b.add(b.sub(x, b.call(Op::gather, {x, 1, target})), b.number(3));
  z = b.clamp(z, 0.0, Argument());
  z = b.number(2) == 1 ? z : b.mul(z, z);
  if (b.has(4)) {
    Value* flat = b.view(target, {b.size(x, 0)});
    z = b.mul(z, b.unsqueeze(b.call(Op::index_select, {b.in(4), 0, flat}), 1));
  }
  Value* other = b.ne(b.view(b.iota(classes), {1, classes}), target);
  z = b.mean(b.where(other, z, 0.0), {1}, false);
  z = b.integer(5) == 0 && b.in(0)->rank() == 1 ? b.view(z, {}) : z;
  return reduced(b, z, b.integer(5));
}

namespace {

// The loss of each row, and 1 where an element is one of its row's targets. A row's targets end at
// the first negative one.
Values multilabel(Builder& b, int64_t reduction) {
  Value* x = b.widened(b.in(0));
  Value* target = b.in(1);
  if (x->rank() > 2 || !(target->sizes() == x->sizes()) || numel(x->sizes()) == Dim(0)) {
    return b.unsupported("only rows, with targets of their shape");
  }
  const Dim n = x->rank() == 2 ? b.size(x, 0) : Dim(1);
  const Dim c = x->rank() == 0 ? Dim(1) : b.size(x, -1);
  x = b.view(x, {n, c});
  Value* labels = b.view(b.cast(target, DType::kInt64), {n, c});
  Value* ended = b.call(Op::cumsum, {b.cast(b.lt(labels, 0), DType::kInt64), 1});
  Value* counts = b.cast(b.eq(ended, 0), x->dtype());
  Value* index = b.clamp(labels, 0, Argument());
  Value* hits = b.call(Op::scatter_add, {b.full({n, c}, 0.0, x->dtype()), 1, index, counts});
  Value* is_target = b.cast(b.gt(hits, 0), x->dtype());
  Value* own = b.unsqueeze(b.call(Op::gather, {x, 1, index}), 2);
  Value* margin = b.clamp(b.sub(b.add(b.unsqueeze(x, 1), 1.0), own), 0.0, Argument());
  Value* others = b.sub(Argument(1.0), b.unsqueeze(is_target, 1));
  Value* each = b.mul(b.mul(margin, b.unsqueeze(counts, 2)), others);
  Value* loss = b.div(b.sum(each, {1, 2}, false), b.argument(c));
  if (reduction == 0) {
    loss = b.view(loss, b.in(0)->rank() == 2 ? Dims{n} : Dims{});
  } else {
    loss = reduction == 1 ? b.mean(loss, {0}, false) : b.sum(loss, {0}, false);
  }
  return {loss, b.view(is_target, b.in(0)->sizes())};
}

}  // namespace

Values multilabel_margin_loss(Builder& b) { return {multilabel(b, b.integer(2))[0]}; }
Values multilabel_margin_loss_forward(Builder& b) { return multilabel(b, b.integer(2)); }

}  // namespace cresset::passes::decompositions
