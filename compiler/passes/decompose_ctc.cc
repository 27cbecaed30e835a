// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <limits>

#include "compiler/passes/decompositions.h"

// Connectionist temporal classification: how likely a sequence of labels is, over all its
// alignments with longer sequences of distributions. A scan over time.
namespace cresset::passes::decompositions {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Lengths, one a sequence, as a vector: a list of numbers or a tensor.
Value* lengths(Builder& b, size_t i) {
  const Argument& given = b.node().arg(i);
  if (!given.is_list()) {
    Value* x = b.cast(b.in(i), DType::kInt64);
    return x->rank() == 0 ? b.view(x, {1}) : x;
  }
  return b.int_tensor(b.ints(i));
}

// Targets [n, s], of which those behind the target lengths become blanks. A vector holds them one
// sequence after the other.
Value* target_rows(Builder& b, Value* lengths, int64_t blank) {
  Value* targets = b.cast(b.in(1), DType::kInt64);
  const Dim n = b.size(lengths, 0);
  const Dim longest = b.size(targets, -1);
  Value* place = b.view(b.iota(longest), {1, longest});
  Value* column = b.view(lengths, {n, 1});
  if (targets->rank() == 1) {
    Value* starts = b.sub(b.call(Op::cumsum, {lengths, 0}), lengths);
    Value* at = b.minimum(b.add(b.view(starts, {n, 1}), place), b.argument(longest - 1));
    targets =
        b.view(b.call(Op::index_select, {targets, 0, b.view(at, {n * longest})}), {n, longest});
  }
  return b.where(b.lt(place, column), targets, blank);
}

// log(exp(x) + exp(y) + exp(z))
Value* log_sum(Builder& b, Value* x, Value* y, Value* z) {
  Value* most = b.maximum(b.maximum(x, y), z);
  most = b.where(b.eq(most, -kInfinity), 0.0, most);
  const auto share = [&](Value* v) { return b.unary(Op::exp, b.sub(v, most)); };
  return b.add(b.unary(Op::log, b.add(b.add(share(x), share(y)), share(z))), most);
}

// One step: from the probability of each prefix of the labels with blanks between them to that with
// one more distribution, for sequences that have one.
Value* step(Builder& b, Value* prefix, Value* emitted, Value* time, Value* skips, Value* counts) {
  const Dim n = b.size(prefix, 0), width = b.size(prefix, 1);
  const auto moved = [&](int64_t by) {
    Value* padded =
        b.call(Op::constant_pad_nd, {prefix, Argument::ints({by, 0}), Argument(-kInfinity)});
    return b.narrow(padded, 1, 0, width);
  };
  Value* next = log_sum(b, prefix, moved(1), b.where(skips, moved(2), -kInfinity));
  return b.where(b.view(b.gt(counts, time), {n, 1}), b.add(next, emitted), prefix);
}

// The probabilities of all prefixes after the last distribution of each sequence.
Value* prefixes(Builder& b, Value* emitted, Value* skips, Value* counts) {
  const Dim steps = b.size(emitted, 0), n = b.size(emitted, 1), width = b.size(emitted, 2);
  const Type state = Type::of({emitted->dtype(), {n, width}, {}});
  auto body = std::make_shared<ir::Graph>();
  body->name = "time";
  Value* prefix = body->add_input("prefix", state);
  Value* now = body->add_input("emitted", state);
  Value* time = body->add_input("time", Type::of({DType::kInt64, {}, {}}));
  Value* body_skips = body->add_input("skips", skips->type);
  Value* body_counts = body->add_input("counts", counts->type);
  Builder inner(*body, nullptr, &b.node());
  Value* next = step(inner, prefix, now, time, body_skips, body_counts);
  if (inner.error()) {
    return b.fail(inner.error().text);
  }
  body->outputs = {next, next};
  Value* first = b.where(b.eq(b.view(b.iota(width), {1, width}), 0),
                         b.full({n, width}, 0.0, emitted->dtype()), -kInfinity);
  return b.typed_calls(Op::hop_scan,
                       {body, Argument::values({first}), Argument::values({emitted, b.iota(steps)}),
                        Argument::values({skips, counts})},
                       {state, Type::of({emitted->dtype(), {steps, n, width}, {}})})[0];
}

// (log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)
Values loss(Builder& b) {
  Value* log_probs = b.widened(b.in(0));
  const bool single = log_probs->rank() == 2;
  log_probs = single ? b.unsqueeze(log_probs, 1) : log_probs;
  if (log_probs->rank() != 3 || b.size(b.in(1), -1) == Dim(0)) {
    return b.unsupported("these shapes");
  }
  const int64_t blank = b.integer(4);
  Value* counts = lengths(b, 2);
  Value* target_counts = lengths(b, 3);
  Value* targets = target_rows(b, target_counts, blank);
  const Dim steps = b.size(log_probs, 0), n = b.size(log_probs, 1), s = b.size(targets, 1);
  const Dim width = s * Dim(2) + 1;
  // Blanks stand before, between and after the labels.
  Value* blanks = b.full({n, s}, Scalar::of_int(blank), DType::kInt64);
  Value* labels = b.view(b.stack({blanks, targets}, -1), {n, s * Dim(2)});
  labels = b.call(Op::constant_pad_nd, {labels, Argument::ints({0, 1}), blank});
  Value* two_before =
      b.narrow(b.call(Op::constant_pad_nd, {labels, Argument::ints({2, 0}), blank}), 1, 0, width);
  Value* skips = b.call(Op::logical_and, {b.ne(labels, blank), b.ne(labels, two_before)});
  Value* index = b.expand(b.view(labels, {1, n, width}), {steps, n, width});
  Value* last = prefixes(b, b.call(Op::gather, {log_probs, 2, index}), skips, counts);
  Value* end = b.view(b.mul(target_counts, 2), {n, 1});
  Value* at_blank = b.call(Op::gather, {last, 1, end});
  Value* at_label = b.call(Op::gather, {last, 1, b.clamp(b.sub(end, 1), 0, Argument())});
  at_label = b.where(b.gt(end, 0), at_label, -kInfinity);
  Value* none = b.full({n, Dim(1)}, -kInfinity, last->dtype());
  Value* y = b.unary(Op::neg, b.view(log_sum(b, at_blank, at_label, none), {n}));
  if (b.flag(6)) {
    y = b.where(b.eq(y, kInfinity), 0.0, y);
  }
  switch (b.integer(5)) {
    case 0:
      return {single ? b.view(y, {}) : y};
    case 1:
      return {b.mean(b.div(y, b.clamp(target_counts, 1, Argument())), {0}, false)};
    default:
      return {b.sum(y, {0}, false)};
  }
}

}  // namespace

Values ctc_loss_intlist(Builder& b) { return loss(b); }
Values ctc_loss_tensor(Builder& b) { return loss(b); }

}  // namespace cresset::passes::decompositions
