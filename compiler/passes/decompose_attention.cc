// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "compiler/passes/decompositions.h"

namespace cresset::passes::decompositions {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Dims with_last(const Value* x, size_t replaced, const Dims& last) {
  Dims sizes(x->sizes().begin(), x->sizes().end() - static_cast<int64_t>(replaced));
  sizes.insert(sizes.end(), last.begin(), last.end());
  return sizes;
}

struct Attention {
  Value* mask = nullptr;  // bool: false is left out; float: is added
  bool causal = false;
  bool grouped = false;  // fewer heads of keys and values than of queries
  double scale = 1;
  double dropout = 0;  // the share of weights that is dropped
};

// Truth where key s may be seen by query l: s <= l + offset.
Value* causal_mask(Builder& b, const Dim& queries, const Dim& keys, Value* offset) {
  Value* rows = b.view(b.iota(queries), {queries, 1});
  if (offset != nullptr) {
    rows = b.add(rows, offset);
  }
  return b.ge(rows, b.view(b.iota(keys), {1, keys}));
}

// Halves are computed in f32, as the fused kernels of PyTorch do.
Value* attend(Builder& b, Value* q, Value* k, Value* v, const Attention& options) {
  q = b.widened(q);
  k = b.widened(k);
  v = b.widened(v);
  if (!options.grouped) {
    Dims sizes = broadcast(b, with_last(q, 2, {}), with_last(k, 2, {}));
    sizes.insert(sizes.end(), {b.size(q, -2), b.size(q, -1)});
    q = b.expand(q, sizes);
  }
  const Dim queries = b.size(q, -2);
  const Dim keys = b.size(k, -2);
  const Dims scores_sizes = with_last(q, 2, {queries, keys});
  const Dims result_sizes = with_last(q, 2, {queries, b.size(v, -1)});
  Dims grouped_scores = scores_sizes;
  if (options.grouped && !(b.size(q, -3) == b.size(k, -3))) {
    // Heads that share keys lie side by side: they become more queries of one head.
    const Dim heads = b.size(k, -3);
    const Dim rows = ir::floor_div(b.size(q, -3), heads) * queries;
    q = b.view(q, with_last(q, 3, {heads, rows, b.size(q, -1)}));
    grouped_scores = with_last(q, 2, {rows, keys});
  }
  Value* scores = matmul(b, b.mul(q, options.scale), b.transpose(k, -2, -1));
  if (options.causal || options.mask != nullptr) {
    scores = b.view(scores, scores_sizes);
    if (options.causal) {
      scores = b.where(causal_mask(b, queries, keys, nullptr), scores, -kInfinity);
    }
    if (options.mask != nullptr) {
      scores = options.mask->dtype() == DType::kBool ? b.where(options.mask, scores, -kInfinity)
                                                     : b.add(scores, options.mask);
    }
  }
  Value* weights = b.softmax(scores, static_cast<int64_t>(scores->rank()) - 1);
  if (options.mask != nullptr) {
    // A query that sees nothing gives zeros instead of 0 / 0.
    Value* blind = b.eq(b.amax(scores, {-1}, true), -kInfinity);
    weights = b.where(blind, 0.0, weights);
  }
  if (options.dropout > 0) {
    Value* drawn = b.typed(Op::rand, {b.arguments(weights->sizes()), weights->dtype()},
                           {weights->dtype(), weights->sizes(), {}});
    const double scale = options.dropout < 1 ? 1 / (1 - options.dropout) : 0;
    weights = b.mul(b.where(b.ge(drawn, options.dropout), weights, 0.0), scale);
  }
  weights = b.view(weights, grouped_scores);
  return b.view(matmul(b, weights, v), result_sizes);
}

Attention options_of(Builder& b, Value* mask, bool causal, size_t scale_at) {
  Attention options;
  options.mask = mask;
  options.causal = causal;
  if (b.has(scale_at)) {
    options.scale = b.number(scale_at);
  } else {
    options.scale = 1 / std::sqrt(static_cast<double>(b.size(b.in(0), -1).known().value_or(1)));
    if (!b.size(b.in(0), -1).is_known()) {
      b.fail("attention over a size that is not a number needs a scale");
    }
  }
  return options;
}

}  // namespace

Values scaled_dot_product_attention(Builder& b) {
  Attention options = options_of(b, b.in(3), b.flag(5), 6);
  options.dropout = b.number(4);
  options.grouped = b.flag(7);
  return {attend(b, b.in(0), b.in(1), b.in(2), options)};
}

Values _scaled_dot_product_flash_attention_for_cpu(Builder& b) {
  return {attend(b, b.in(0), b.in(1), b.in(2), options_of(b, b.in(5), b.flag(4), 6))};
}

Values _scaled_dot_product_attention_math(Builder& b) {
  Attention options = options_of(b, b.in(3), b.flag(5), 7);
  options.grouped = b.flag(8);
  return {attend(b, b.in(0), b.in(1), b.in(2), options)};
}

Values _scaled_dot_product_efficient_attention(Builder& b) {
  return {attend(b, b.in(0), b.in(1), b.in(2), options_of(b, b.in(3), b.flag(6), 7))};
}

Values _scaled_dot_product_flash_attention(Builder& b) {
  return {attend(b, b.in(0), b.in(1), b.in(2), options_of(b, nullptr, b.flag(4), 6))};
}

namespace {

// The cache, [batch, sequence, ...], with `rows` from argument `start_at` on.
Value* insert_rows(Builder& b, Value* cache, Value* rows, size_t start_at) {
  const Dim start = b.dim(start_at);
  return b.typed(Op::slice_scatter,
                 {cache, b.cast(rows, cache->dtype()), 1, b.argument(start),
                  b.argument(start + b.size(rows, 1)), 1},
                 cache->tensor());
}

// Heads lie behind the sequence: [batch, sequence, heads, size].
Value* attend_sequence_first(Builder& b, Value* keys, Value* values, size_t start_at,
                             size_t mask_at, size_t causal_at, size_t scale_at) {
  Value* q = b.transpose(b.in(0), 1, 2);
  Value* k = b.transpose(keys, 1, 2);
  Value* v = b.transpose(values, 1, 2);
  Attention options = options_of(b, b.in(mask_at), false, scale_at);
  options.grouped = true;
  if (b.flag(causal_at)) {
    const Argument start = b.node().arg(start_at);
    Value* offset = start.is_value() ? b.typed(Op::scalar_tensor, {start, DType::kInt64},
                                               {DType::kInt64, {}, {}})
                                     : b.scalar(start.scalar(), DType::kInt64);
    options.mask = causal_mask(b, b.size(q, -2), b.size(k, -2), offset);
  }
  return b.transpose(attend(b, q, k, v, options), 1, 2);
}

}  // namespace

Values custom_sdpa(Builder& b) {
  // Keys up to start_pos + the number of queries count.
  const Dim seen = b.dim(3) + b.size(b.in(0), 1);
  Value* k = b.narrow(b.in(1), 1, 0, seen);
  Value* v = b.narrow(b.in(2), 1, 0, seen);
  return {attend_sequence_first(b, k, v, 3, 4, 6, 7)};
}

Values update_cache(Builder& b) {
  Value* cache = insert_rows(b, b.in(1), b.in(0), 2);
  return {b.full({1}, Scalar::of_int(0), b.node().result()->dtype()), cache};
}

Values sdpa_with_kv_cache(Builder& b) {
  Value* keys = insert_rows(b, b.in(3), b.in(1), 5);
  Value* values = insert_rows(b, b.in(4), b.in(2), 5);
  const Dim seen = b.dim(5) + b.dim(6);
  Value* y = attend_sequence_first(b, b.narrow(keys, 1, 0, seen), b.narrow(values, 1, 0, seen), 5,
                                   7, 9, 10);
  return {y, keys, values};
}

Values _safe_softmax(Builder& b) {
  Value* x = b.has(2) ? b.cast(b.in(0), b.dtype(2, DType::kFloat32)) : b.in(0);
  const int64_t dim = b.integer(1);
  Value* blind = b.eq(b.amax(x, {dim}, true), -kInfinity);
  return {b.where(blind, 0.0, b.softmax(x, dim))};
}

}  // namespace cresset::passes::decompositions
