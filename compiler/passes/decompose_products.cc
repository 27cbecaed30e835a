// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/decompositions.h"

namespace cresset::passes {

namespace {

Dims leading(const Value* x, size_t dropped) {
  return {x->sizes().begin(), x->sizes().end() - static_cast<int64_t>(dropped)};
}

Dims joined(Dims a, const Dims& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Dims broadcast(Builder& b, const Dims& x, const Dims& y) {
  Dims result(std::max(x.size(), y.size()), Dim(1));
  for (size_t k = 0; k < result.size(); ++k) {
    const Dim left = k < x.size() ? x[x.size() - 1 - k] : Dim(1);
    const Dim right = k < y.size() ? y[y.size() - 1 - k] : Dim(1);
    if (left.is_known() && right.is_known() && !(left == right) && !(left == Dim(1)) &&
        !(right == Dim(1))) {
      b.fail("sizes " + ir::sizes_text(x) + " and " + ir::sizes_text(y) + " do not broadcast");
    }
    result[result.size() - 1 - k] = left == Dim(1)    ? right
                                    : right == Dim(1) ? left
                                    : left.is_known() ? left
                                                      : right;
  }
  return result;
}

Value* linear(Builder& b, Value* x, Value* weight, Value* bias) {
  Value* transposed = b.permute(weight, {1, 0});
  Value* rows = b.view(x, {numel(leading(x, 1)), b.size(x, -1)});
  Value* y = bias == nullptr ? b.mm(rows, transposed) : b.call(Op::addmm, {bias, rows, transposed});
  return b.view(y, joined(leading(x, 1), {b.size(weight, 0)}));
}

Value* matmul(Builder& b, Value* left, Value* right) {
  const size_t l = left->rank();
  const size_t r = right->rank();
  if (l == 0 || r == 0) {
    return b.fail("matmul of a tensor without dimensions");
  }
  if (l == 1) {
    Value* y = matmul(b, b.unsqueeze(left, 0), right);
    return b.view(y, r == 1 ? Dims{} : joined(leading(right, 2), {b.size(right, -1)}));
  }
  if (r == 1) {
    return b.view(matmul(b, left, b.unsqueeze(right, 1)), leading(left, 1));
  }
  const Dim m = b.size(left, -2);
  const Dim k = b.size(left, -1);
  const Dim n = b.size(right, -1);
  if (r == 2) {
    Value* y = b.mm(b.view(left, {numel(leading(left, 1)), k}), right);
    return b.view(y, joined(leading(left, 1), {n}));
  }
  const Dims batch = broadcast(b, leading(left, 2), leading(right, 2));
  Value* y = b.mm(b.view(b.expand(left, joined(batch, {m, k})), {numel(batch), m, k}),
                  b.view(b.expand(right, joined(batch, {k, n})), {numel(batch), k, n}));
  return b.view(y, joined(batch, {m, n}));
}

namespace decompositions {

Values linear(Builder& b) {
  if (b.in(1)->rank() == 1) {
    Value* y = passes::matmul(b, b.in(0), b.in(1));
    return {b.has(2) ? b.add(y, b.in(2)) : y};
  }
  return {passes::linear(b, b.in(0), b.in(1), b.in(2))};
}

Values matmul(Builder& b) { return {passes::matmul(b, b.in(0), b.in(1))}; }
// Products of 8-bit integers, summed in 32 bits.
Values _int_mm(Builder& b) {
  return {b.mm(b.cast(b.in(0), DType::kInt32), b.cast(b.in(1), DType::kInt32))};
}
Values mv(Builder& b) { return matmul(b); }
Values dot(Builder& b) { return {b.sum(b.mul(b.in(0), b.in(1)), {0}, false)}; }
Values vdot(Builder& b) { return dot(b); }
Values linalg_vecdot(Builder& b) { return {b.sum(b.mul(b.in(0), b.in(1)), {b.integer(2)}, false)}; }
Values outer(Builder& b) { return {b.mul(b.unsqueeze(b.in(0), 1), b.unsqueeze(b.in(1), 0))}; }
Values inner(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.in(1);
  if (x->rank() == 0 || y->rank() == 0) {
    return {b.mul(x, y)};
  }
  Value* product = b.mm(b.view(x, {numel(leading(x, 1)), b.size(x, -1)}),
                        b.permute(b.view(y, {numel(leading(y, 1)), b.size(y, -1)}), {1, 0}));
  return {b.view(product, joined(leading(x, 1), leading(y, 1)))};
}

namespace {

// 16-bit floats in float32, so that what follows is rounded once.
Value* exact(Builder& b, size_t i) {
  Value* x = b.in(i);
  return is_integral(x->dtype()) ? x : b.widened(x);
}

// beta * self + alpha * product
Values scaled_sum(Builder& b, Value* product, size_t beta_at) {
  // Integers are multiplied by integers.
  const auto factor = [&](size_t i) {
    const Argument& given = b.node().arg(i);
    return given.is_double() && is_integral(b.out().dtype)
               ? Argument(static_cast<int64_t>(given.number()))
               : given;
  };
  const Argument beta = factor(beta_at);
  const Argument alpha = factor(beta_at + 1);
  Value* scaled = alpha == Argument(1) ? product : b.mul(product, alpha);
  if (beta.is_number() && beta.number() == 0) {
    return {b.expand(scaled, b.out().sizes)};
  }
  Value* x = exact(b, 0);
  return {b.add(beta == Argument(1) ? x : b.mul(x, beta), scaled)};
}

}  // namespace

Values addmm(Builder& b) { return scaled_sum(b, b.mm(exact(b, 1), exact(b, 2)), 3); }
Values addmv(Builder& b) { return scaled_sum(b, passes::matmul(b, exact(b, 1), exact(b, 2)), 3); }
Values addr(Builder& b) {
  return scaled_sum(b, b.mul(b.unsqueeze(exact(b, 1), 1), b.unsqueeze(exact(b, 2), 0)), 3);
}
Values baddbmm(Builder& b) { return scaled_sum(b, b.mm(exact(b, 1), exact(b, 2)), 3); }
Values addbmm(Builder& b) {
  return scaled_sum(b, b.sum(b.mm(exact(b, 1), exact(b, 2)), {0}, false), 3);
}
Values chain_matmul(Builder& b) {
  Value* product = nullptr;
  for (Value* x : b.tensors(0)) {
    product = product == nullptr ? x : passes::matmul(b, product, x);
  }
  return {product};
}
Values linalg_multi_dot(Builder& b) { return chain_matmul(b); }

Values bilinear(Builder& b) {
  // y[n, o] = sum over i, j of x1[n, i] * w[o, i, j] * x2[n, j]
  Value* x1 = b.in(0);
  Value* x2 = b.in(1);
  Value* w = b.in(2);
  const Dim rows = numel(leading(x1, 1));
  const Dim outs = b.size(w, 0);
  const Dim i = b.size(w, 1);
  const Dim j = b.size(w, 2);
  Value* flat = b.view(b.permute(w, {1, 0, 2}), {i, outs * j});
  Value* half = b.view(b.mm(b.view(x1, {rows, i}), flat), {rows, outs, j});
  Value* y = b.sum(b.mul(half, b.view(x2, {rows, 1, j})), {2}, false);
  y = b.view(y, joined(leading(x1, 1), {outs}));
  return {b.has(3) ? b.add(y, b.in(3)) : y};
}

Values kron(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.in(1);
  const size_t rank = std::max(x->rank(), y->rank());
  Dims xs(rank - x->rank(), Dim(1)), ys(rank - y->rank(), Dim(1));
  xs = joined(xs, x->sizes());
  ys = joined(ys, y->sizes());
  Dims left, right, out;
  for (size_t d = 0; d < rank; ++d) {
    left.insert(left.end(), {xs[d], Dim(1)});
    right.insert(right.end(), {Dim(1), ys[d]});
    out.push_back(xs[d] * ys[d]);
  }
  return {b.view(b.mul(b.view(x, left), b.view(y, right)), out)};
}

namespace {

// A tensor whose dimensions carry labels.
struct Labelled {
  Value* value = nullptr;
  std::vector<int> labels;
};

bool holds(const std::vector<int>& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Labelled in_order(Builder& b, const Labelled& x, const std::vector<int>& labels) {
  Ints order;
  for (const int label : labels) {
    order.push_back(std::find(x.labels.begin(), x.labels.end(), label) - x.labels.begin());
  }
  return {b.permute(x.value, order), labels};
}

Labelled summed_except(Builder& b, const Labelled& x, const std::vector<int>& kept) {
  Ints dims;
  Labelled result = {x.value, {}};
  for (size_t d = 0; d < x.labels.size(); ++d) {
    if (holds(kept, x.labels[d])) {
      result.labels.push_back(x.labels[d]);
    } else {
      dims.push_back(static_cast<int64_t>(d));
    }
  }
  if (!dims.empty()) {
    result.value = b.sum(x.value, dims, false);
  }
  return result;
}

// The size of a label among two tensors, one of which may have 1 there.
Dim size_of(const Labelled& x, const Labelled& y, int label) {
  Dim size(1);
  for (const Labelled* side : {&x, &y}) {
    for (size_t d = 0; d < side->labels.size(); ++d) {
      if (side->labels[d] == label && !(side->value->sizes()[d] == Dim(1))) {
        size = side->value->sizes()[d];
      }
    }
  }
  return size;
}

// Sums over the labels that are in both and not in `kept`.
Labelled contracted(Builder& b, Labelled x, Labelled y, const std::vector<int>& kept) {
  std::vector<int> needed_x = kept, needed_y = kept;
  needed_x.insert(needed_x.end(), y.labels.begin(), y.labels.end());
  needed_y.insert(needed_y.end(), x.labels.begin(), x.labels.end());
  x = summed_except(b, x, needed_x);
  y = summed_except(b, y, needed_y);
  std::vector<int> batch, only_x, only_y, inner;
  for (const int label : x.labels) {
    (!holds(y.labels, label) ? only_x : holds(kept, label) ? batch : inner).push_back(label);
  }
  for (const int label : y.labels) {
    if (!holds(x.labels, label)) {
      only_y.push_back(label);
    }
  }
  const auto sizes = [&](const std::vector<int>& labels) {
    Dims result;
    for (const int label : labels) {
      result.push_back(size_of(x, y, label));
    }
    return result;
  };
  const auto shaped = [&](const Labelled& side, const std::vector<int>& p,
                          const std::vector<int>& q) {
    std::vector<int> order = batch;
    order.insert(order.end(), p.begin(), p.end());
    order.insert(order.end(), q.begin(), q.end());
    Value* value = b.expand(in_order(b, side, order).value, sizes(order));
    return b.view(value, {numel(sizes(batch)), numel(sizes(p)), numel(sizes(q))});
  };
  std::vector<int> labels = batch;
  labels.insert(labels.end(), only_x.begin(), only_x.end());
  labels.insert(labels.end(), only_y.begin(), only_y.end());
  if (inner.empty()) {  // a product without a sum: broadcast instead
    Value* product = b.mul(shaped(x, only_x, inner), shaped(y, inner, only_y));
    return {b.view(product, sizes(labels)), labels};
  }
  Value* product = b.mm(shaped(x, only_x, inner), shaped(y, inner, only_y));
  return {b.view(product, sizes(labels)), labels};
}

constexpr int kFirstEllipsisLabel = 1000;

// The labels of one operand; "..." stands for the dimensions that the letters leave, counted from
// the last one.
std::vector<int> parse_labels(const std::string& text, size_t rank) {
  std::vector<int> labels;
  const size_t dots = text.find("...");
  const size_t letters = text.size() - (dots == std::string::npos ? 0 : 3);
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == dots) {
      for (size_t k = rank - std::min(rank, letters); k-- > 0;) {
        labels.push_back(kFirstEllipsisLabel + static_cast<int>(k));
      }
      i += 2;
    } else {
      labels.push_back(text[i]);
    }
  }
  return labels;
}

// Repeated letters read the diagonal.
Labelled without_repeats(Builder& b, Labelled x) {
  for (size_t i = 0; i < x.labels.size(); ++i) {
    for (size_t j = i + 1; j < x.labels.size(); ++j) {
      if (x.labels[i] == x.labels[j]) {
        x.value = b.call(Op::diagonal_copy,
                         {x.value, 0, static_cast<int64_t>(i), static_cast<int64_t>(j)});
        x.labels.push_back(x.labels[i]);
        x.labels.erase(x.labels.begin() + static_cast<int64_t>(j));
        x.labels.erase(x.labels.begin() + static_cast<int64_t>(i));
        return without_repeats(b, std::move(x));
      }
    }
  }
  return x;
}

}  // namespace

Values einsum(Builder& b) {
  std::string equation = b.node().arg(0).string();
  std::erase(equation, ' ');
  const size_t arrow = equation.find("->");
  std::string inputs = equation.substr(0, arrow);
  std::vector<Labelled> operands;
  for (Value* x : b.tensors(1)) {
    const size_t comma = inputs.find(',');
    operands.push_back(without_repeats(b, {x, parse_labels(inputs.substr(0, comma), x->rank())}));
    inputs = comma == std::string::npos ? "" : inputs.substr(comma + 1);
    if (operands.back().value->rank() != operands.back().labels.size()) {
      return b.unsupported("the equation does not fit the operands");
    }
  }
  std::vector<int> out;
  std::vector<int> all;
  for (const Labelled& x : operands) {
    all.insert(all.end(), x.labels.begin(), x.labels.end());
  }
  std::sort(all.begin(), all.end());
  if (arrow != std::string::npos) {
    const std::string text = equation.substr(arrow + 2);
    const size_t letters = text.size() - (text.find("...") == std::string::npos ? 0 : 3);
    out = parse_labels(text, b.out().sizes.size() < letters ? letters : b.out().sizes.size());
  } else {  // what occurs once, in alphabetical order, behind the ellipsis
    std::vector<int> once;
    for (const int label : all) {
      if (label >= kFirstEllipsisLabel ? !holds(out, label)
                                       : std::count(all.begin(), all.end(), label) == 1) {
        (label >= kFirstEllipsisLabel ? out : once).push_back(label);
      }
    }
    std::sort(out.rbegin(), out.rend());
    out.insert(out.end(), once.begin(), once.end());
  }
  Labelled result = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    std::vector<int> kept = out;
    for (size_t k = i + 1; k < operands.size(); ++k) {
      kept.insert(kept.end(), operands[k].labels.begin(), operands[k].labels.end());
    }
    result = contracted(b, result, operands[i], kept);
  }
  result = summed_except(b, result, out);
  for (const int label : out) {
    if (!holds(result.labels, label)) {
      return b.unsupported("the equation does not fit the operands");
    }
  }
  return {in_order(b, result, out).value};
}

Values tensordot(Builder& b) {
  const std::vector<size_t> dims_x = b.axes(2, b.in(0)->rank());
  const std::vector<size_t> dims_y = b.axes(3, b.in(1)->rank());
  Labelled x{b.in(0), {}}, y{b.in(1), {}};
  std::vector<int> kept;
  for (size_t d = 0; d < x.value->rank(); ++d) {
    x.labels.push_back(static_cast<int>(d));
    if (std::find(dims_x.begin(), dims_x.end(), d) == dims_x.end()) {
      kept.push_back(x.labels.back());
    }
  }
  for (size_t d = 0; d < y.value->rank(); ++d) {
    const auto found = std::find(dims_y.begin(), dims_y.end(), d);
    if (found == dims_y.end()) {
      y.labels.push_back(100 + static_cast<int>(d));
      kept.push_back(y.labels.back());
    } else {
      y.labels.push_back(static_cast<int>(dims_x[static_cast<size_t>(found - dims_y.begin())]));
    }
  }
  return {in_order(b, contracted(b, x, y, kept), kept).value};
}

// The product of three tensors, each with dimensions of size 1 put in, summed over some.
Values _trilinear(Builder& b) {
  Value* product = nullptr;
  for (size_t i = 0; i < 3; ++i) {
    Value* factor = is_integral(b.in(i)->dtype()) ? b.in(i) : b.widened(b.in(i));
    for (const int64_t dim : b.ints(3 + i)) {
      factor = b.unsqueeze(factor, dim);
    }
    product = product == nullptr ? factor : b.mul(product, factor);
  }
  return {b.ints(6).empty() ? product : b.sum(product, b.ints(6), false)};
}

}  // namespace decompositions
}  // namespace cresset::passes
