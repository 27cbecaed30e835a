// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/decompositions.h"

// Gradients that core ATen names, for models that carry their training step.
namespace cresset::passes::decompositions {

namespace {

// A constant of known numbers.
Value* numbers(Builder& b, const std::vector<double>& values, const Ints& sizes, DType dtype) {
  Dims dims(sizes.begin(), sizes.end());
  Value* plain = b.constant(ir::make_constant("numbers", {DType::kFloat64, dims, {}}, values.data(),
                                              values.size() * sizeof(double)));
  return b.cast(plain, dtype);
}

// The sizes as numbers; an error where one is not.
Ints known(Builder& b, const Dims& sizes) {
  Ints result;
  for (const Dim& size : sizes) {
    if (!size.is_known()) {
      b.fail("the sizes must be known");
    }
    result.push_back(size.known().value_or(1));
  }
  return result;
}

struct Window {
  int64_t begin, end;
};
// Where window `i` of an average over `size` elements lies.
Window adaptive_window(int64_t i, int64_t size, int64_t count) {
  return {i * size / count, ((i + 1) * size + count - 1) / count};
}

Value* leading_flat(Builder& b, Value* x, size_t last) {
  Dims sizes = {Dim(1)};
  for (size_t d = 0; d + last < x->rank(); ++d) {
    sizes[0] = sizes[0] * x->sizes()[d];
  }
  sizes.insert(sizes.end(), x->sizes().end() - static_cast<int64_t>(last), x->sizes().end());
  return b.view(x, sizes);
}

// The gradient of normalised sets: those of `g` = gradient * weight and of `x_hat`, over `dims`.
Value* norm_gradient(Builder& b, Value* g, Value* x_hat, Value* rstd, const Ints& dims) {
  Value* constant_part = b.mean(g, dims, true);
  Value* linear_part = b.mul(x_hat, b.mean(b.mul(g, x_hat), dims, true));
  return b.mul(rstd, b.sub(b.sub(g, constant_part), linear_part));
}

bool wants(Builder& b, size_t mask_at, size_t i) {
  const Argument& mask = b.node().arg(mask_at);
  return mask.is_list() && i < mask.list().size() && mask.list()[i].is_bool() &&
         mask.list()[i].boolean();
}

Ints spread(Builder& b, size_t i, size_t count) {
  const Ints given = b.ints(i);
  return given.size() == 1 ? Ints(count, given[0]) : given;
}

// Elements [from, from + length) of a dimension, zeros where there are none.
Value* window_of(Builder& b, Value* x, int64_t dim, int64_t from, int64_t length) {
  const int64_t size = b.size(x, dim).known().value_or(0);
  Value* y =
      from > 0 || size > from + length ? b.narrow(x, dim, from, std::min(length, size - from)) : x;
  const int64_t missing = length - b.size(y, dim).known().value_or(0);
  if (missing > 0) {
    Dims sizes = y->sizes();
    sizes[static_cast<size_t>(dim)] = missing;
    y = b.cat({y, b.full(sizes, 0.0, y->dtype())}, dim);
  }
  return y;
}

}  // namespace

Values embedding_dense_backward(Builder& b) {
  Value* gradient = b.widened(b.in(0));
  Value* indices = b.in(1);
  const Dim rows = b.dim(2), width = b.size(gradient, -1);
  Value* flat = b.view(indices, {numel(indices->sizes())});
  gradient = b.view(gradient, {numel(indices->sizes()), width});
  if (b.flag(4)) {  // by how often each index occurs
    Value* ones = b.full({numel(indices->sizes())}, 1.0, gradient->dtype());
    Value* counts = b.call(Op::index_add, {b.full({rows}, 0.0, gradient->dtype()), 0, flat, ones});
    Value* own = b.call(Op::index_select, {counts, 0, flat});
    gradient = b.div(gradient, b.unsqueeze(own, 1));
  }
  Value* counted = b.unsqueeze(b.ne(flat, b.integer(3)), 1);
  gradient = b.where(counted, gradient, 0.0);
  return {
      b.call(Op::index_add, {b.full({rows, width}, 0.0, gradient->dtype()), 0, flat, gradient})};
}

// The convolution of the gradient, each element divided by the size of its window, with ones.
Values avg_pool2d_backward(Builder& b) {
  Value* gradient = b.widened(b.in(0));
  const Dims sizes = b.in(1)->sizes();
  const Ints kernel = spread(b, 2, 2), padding = spread(b, 4, 2);
  const Ints stride = b.ints(3).empty() ? kernel : spread(b, 3, 2);
  if (kernel.size() != 2 || stride.size() != 2 || padding.size() != 2 || sizes.size() < 3) {
    return b.unsupported("kernel, stride and padding take one or two numbers");
  }
  const Ints image = known(b, {b.size(b.in(1), -2), b.size(b.in(1), -1)});
  const Ints out = known(b, {b.size(gradient, -2), b.size(gradient, -1)});
  std::vector<double> extent[2];
  for (size_t d = 0; d < 2; ++d) {
    if (kernel[d] <= 0 || stride[d] <= 0 || padding[d] < 0 || padding[d] > kernel[d] / 2) {
      return b.unsupported("that kernel, stride or padding");
    }
    int64_t steps = image[d] + 2 * padding[d] - kernel[d] + (b.flag(5) ? stride[d] - 1 : 0);
    int64_t count = steps / stride[d] + 1;
    count -= b.flag(5) && (count - 1) * stride[d] >= image[d] + padding[d] ? 1 : 0;
    if (steps < 0 || count != out[d]) {
      return b.unsupported("a gradient of another size than the pool's result");
    }
    for (int64_t i = 0; i < out[d]; ++i) {
      int64_t begin = i * stride[d] - padding[d];
      int64_t end = std::min(begin + kernel[d], image[d] + padding[d]);
      if (!b.flag(6)) {
        begin = std::max<int64_t>(begin, 0);
        end = std::min(end, image[d]);
      }
      extent[d].push_back(static_cast<double>(end - begin));
    }
  }
  std::vector<double> divisors;
  for (const double h : extent[0]) {
    for (const double w : extent[1]) {
      divisors.push_back(b.has(7) ? b.number(7) : h * w);
    }
  }
  if (b.has(7) && b.number(7) == 0) {
    return b.unsupported("a divisor of zero");
  }
  gradient = b.div(gradient, numbers(b, divisors, out, gradient->dtype()));
  Value* flat = b.unsqueeze(leading_flat(b, gradient, 2), 1);
  Value* ones = b.full({Dim(1), Dim(1), Dim(kernel[0]), Dim(kernel[1])}, 1.0, gradient->dtype());
  Value* y = b.call(Op::convolution,
                    {flat, ones, Argument(), Argument::ints(stride), Argument::ints({0, 0}),
                     Argument::ints({1, 1}), true, Argument::ints({0, 0}), 1});
  y = window_of(b, y, 2, padding[0], image[0]);
  y = window_of(b, y, 3, padding[1], image[1]);
  return {b.view(y, sizes)};
}

// Products with the matrices that spread an element over its window, one for each dimension.
Values _adaptive_avg_pool2d_backward(Builder& b) {
  Value* y = b.widened(b.in(0));
  const Dims sizes = b.in(1)->sizes();
  if (sizes.size() < 3 || y->rank() != sizes.size()) {
    return b.unsupported("a gradient of another rank");
  }
  const Ints image = known(b, {b.size(b.in(1), -2), b.size(b.in(1), -1)});
  const Ints out = known(b, {b.size(y, -2), b.size(y, -1)});
  y = leading_flat(b, y, 2);
  for (size_t d = 2; d-- > 0;) {
    std::vector<double> weights(static_cast<size_t>(out[d] * image[d]), 0.0);
    for (int64_t i = 0; i < out[d]; ++i) {
      const Window window = adaptive_window(i, image[d], out[d]);
      for (int64_t k = window.begin; k < window.end; ++k) {
        weights[static_cast<size_t>(i * image[d] + k)] =
            1.0 / static_cast<double>(window.end - window.begin);
      }
    }
    Value* spreading = numbers(b, weights, {out[d], image[d]}, y->dtype());
    const Dim n = b.size(y, 0), rows = b.size(y, 1);
    Value* product = b.mm(b.view(y, {n * rows, Dim(out[d])}), spreading);
    y = b.transpose(b.view(product, {n, rows, Dim(image[d])}), 1, 2);
  }
  return {b.view(y, sizes)};
}

Values native_layer_norm_backward(Builder& b) {
  Value* gradient = b.widened(b.in(0));
  Value* x = b.widened(b.in(1));
  const size_t inner = b.dims(2).size();
  Value* weight = b.in(5);
  Value* rstd = b.widened(b.in(4));
  Value* x_hat = b.mul(b.sub(x, b.widened(b.in(3))), rstd);
  const Ints over = counted(inner, static_cast<int64_t>(x->rank() - inner));
  const Ints outer = counted(x->rank() - inner);
  const auto summed = [&](Value* v) { return outer.empty() ? v : b.sum(v, outer, false); };
  Value* g = weight == nullptr ? gradient : b.mul(gradient, b.widened(weight));
  Values results(3, nullptr);
  if (wants(b, 7, 0)) {
    results[0] = norm_gradient(b, g, x_hat, rstd, over);
  }
  if (wants(b, 7, 1) && weight != nullptr) {
    results[1] = summed(b.mul(gradient, x_hat));
  }
  if (wants(b, 7, 2) && (b.has(6) || weight != nullptr)) {
    results[2] = summed(gradient);
  }
  return results;
}

Values native_group_norm_backward(Builder& b) {
  const Dim n = b.dim(5), c = b.dim(6), inner = b.dim(7);
  const int64_t groups = b.integer(8);
  if (groups <= 0) {
    return b.unsupported("no groups");
  }
  const Dim each = ir::floor_div(c, Dim(groups));
  const Dims shape = {n, Dim(groups), each, inner};
  Value* gradient = b.view(b.widened(b.in(0)), shape);
  Value* x = b.view(b.widened(b.in(1)), shape);
  const auto statistic = [&](size_t i) {
    return b.view(b.widened(b.in(i)), {n, Dim(groups), Dim(1), Dim(1)});
  };
  Value* rstd = statistic(3);
  Value* x_hat = b.mul(b.sub(x, statistic(2)), rstd);
  Value* g = gradient;
  if (b.has(4)) {
    g = b.mul(g, b.view(b.widened(b.in(4)), {Dim(1), Dim(groups), each, Dim(1)}));
  }
  const auto summed = [&](Value* v) { return b.view(b.sum(v, {0, 3}, false), {c}); };
  Values results(3, nullptr);
  if (wants(b, 9, 0)) {
    results[0] = b.view(norm_gradient(b, g, x_hat, rstd, {2, 3}), b.in(1)->sizes());
  }
  if (wants(b, 9, 1)) {
    results[1] = summed(b.mul(gradient, x_hat));
  }
  if (wants(b, 9, 2)) {
    results[2] = summed(gradient);
  }
  return results;
}

namespace {

// The gradient of a convolution's weight [O, C / groups, kernel]: a convolution of the input with
// the gradient of the output, batch and channels changing places.
Value* weight_gradient(Builder& b, Value* x, Value* gradient, const Ints& kernel,
                       const Ints& stride, const Ints& padding, const Ints& dilation,
                       int64_t groups) {
  const Dim n = b.size(x, 0), c = b.size(x, 1);
  const Dim each = ir::floor_div(c, Dim(groups));
  const size_t spatial = kernel.size();
  Dims split = {n, Dim(groups), each};
  Dims joined = {each, Dim(groups) * n};
  Ints order = {2, 1, 0};
  for (size_t d = 0; d < spatial; ++d) {
    split.push_back(x->sizes()[d + 2]);
    joined.push_back(x->sizes()[d + 2]);
    order.push_back(static_cast<int64_t>(d) + 3);
  }
  Value* input = b.view(b.permute(b.view(x, split), order), joined);
  Value* y = b.call(Op::convolution,
                    {input, b.transpose(gradient, 0, 1), Argument(), Argument::ints(dilation),
                     Argument::ints(padding), Argument::ints(stride), false,
                     Argument::ints(Ints(spatial, 0)), groups});
  for (size_t d = 0; d < spatial; ++d) {
    y = window_of(b, y, static_cast<int64_t>(d) + 2, 0, kernel[d]);
  }
  return b.transpose(y, 0, 1);
}

}  // namespace

Values convolution_backward(Builder& b) {
  Value* gradient = b.widened(b.in(0));
  Value* x = b.widened(b.in(1));
  Value* weight = b.widened(b.in(2));
  if (x->rank() < 3 || weight->rank() != x->rank() || gradient->rank() != x->rank()) {
    return b.unsupported("these ranks");
  }
  const size_t spatial = x->rank() - 2;
  const Ints stride = spread(b, 4, spatial), padding = spread(b, 5, spatial),
             dilation = spread(b, 6, spatial);
  const bool transposed = b.flag(7);
  const int64_t groups = b.integer(9);
  const Ints kernel = known(b, {weight->sizes().begin() + 2, weight->sizes().end()});
  const Ints small = known(b, {gradient->sizes().begin() + 2, gradient->sizes().end()});
  const Ints large = known(b, {x->sizes().begin() + 2, x->sizes().end()});
  if (b.error()) {
    return b.unsupported("sizes");
  }
  Values results(3, nullptr);
  if (wants(b, 10, 0)) {
    Ints rest(spatial, 0);
    for (size_t d = 0; d < spatial && !transposed; ++d) {
      const int64_t reached =
          (small[d] - 1) * stride[d] - 2 * padding[d] + dilation[d] * (kernel[d] - 1) + 1;
      rest[d] = large[d] - reached;
    }
    results[0] = b.call(Op::convolution, {gradient, weight, Argument(), Argument::ints(stride),
                                          Argument::ints(padding), Argument::ints(dilation),
                                          !transposed, Argument::ints(rest), groups});
  }
  if (wants(b, 10, 1)) {
    results[1] = transposed
                     ? weight_gradient(b, gradient, x, kernel, stride, padding, dilation, groups)
                     : weight_gradient(b, x, gradient, kernel, stride, padding, dilation, groups);
  }
  if (wants(b, 10, 2)) {
    Ints over = counted(x->rank());
    over.erase(over.begin() + 1);
    results[2] = b.sum(gradient, over, false);
  }
  return results;
}

}  // namespace cresset::passes::decompositions
