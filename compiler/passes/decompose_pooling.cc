// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "compiler/passes/decompositions.h"

// Pools and resampling.
namespace cresset::passes::decompositions {

namespace {

// The list argument of a 1-d pool with a leading element, for a dimension of size 1 in front.
Argument with_front(const Argument& argument, int64_t front) {
  if (!argument.is_list()) {
    return ArgumentList{front, argument};
  }
  return argument.list().empty() ? argument : Argument(ArgumentList{front, argument.list()[0]});
}

Values max_pool_1d(Builder& b) {
  const Node& node = b.node();
  Values made =
      b.calls(Op::max_pool2d_with_indices,
              {b.unsqueeze(b.in(0), -2), with_front(node.arg(1), 1), with_front(node.arg(2), 1),
               with_front(node.arg(3), 0), with_front(node.arg(4), 1), node.arg(5)});
  return {b.squeeze(made[0], -2), b.squeeze(made[1], -2)};
}

}  // namespace

Values max_pool1d(Builder& b) { return {max_pool_1d(b)[0]}; }
Values max_pool1d_with_indices(Builder& b) { return max_pool_1d(b); }
Values max_pool2d(Builder& b) { return {b.calls(Op::max_pool2d_with_indices, b.node().args())[0]}; }
Values max_pool3d(Builder& b) { return {b.calls(Op::max_pool3d_with_indices, b.node().args())[0]}; }

Values avg_pool1d(Builder& b) {
  const Node& node = b.node();
  Value* y = b.call(Op::avg_pool2d, {b.unsqueeze(b.in(0), -2), with_front(node.arg(1), 1),
                                     with_front(node.arg(2), 1), with_front(node.arg(3), 0),
                                     node.arg(4), node.arg(5)});
  return {b.squeeze(y, -2)};
}
Values adaptive_avg_pool1d(Builder& b) {
  if (b.ints(1).size() != 1) {
    return b.unsupported("output_size must be one number");
  }
  Value* y =
      b.call(Op::_adaptive_avg_pool2d, {b.unsqueeze(b.in(0), -2), with_front(b.node().arg(1), 1)});
  return {b.squeeze(y, -2)};
}
Values _adaptive_avg_pool2d(Builder& b) {
  Value* x = b.in(0);
  if (b.ints(1) == Ints{1, 1}) {
    return {b.mean(x, {-2, -1}, true)};
  }
  // Sizes that divide make it an ordinary pool.
  const Ints out = b.ints(1);
  const std::optional<int64_t> h = b.size(x, -2).known();
  const std::optional<int64_t> w = b.size(x, -1).known();
  if (!h || !w || out.size() != 2 || out[0] == 0 || out[1] == 0 || *h % out[0] != 0 ||
      *w % out[1] != 0) {
    return b.unsupported("the output size does not divide the input's");
  }
  const Argument kernel = Argument::ints({*h / out[0], *w / out[1]});
  return {b.call(Op::avg_pool2d, {x, kernel, kernel})};
}
Values _adaptive_avg_pool3d(Builder& b) {
  if (b.ints(1) != Ints{1, 1, 1}) {
    return b.unsupported("only an output of one element");
  }
  return {b.mean(b.in(0), {-3, -2, -1}, true)};
}
Values adaptive_max_pool1d(Builder& b) {
  Values made =
      b.calls(Op::adaptive_max_pool2d, {b.unsqueeze(b.in(0), -2), with_front(b.node().arg(1), 1)});
  return {b.squeeze(made[0], -2), b.squeeze(made[1], -2)};
}

namespace {

// A 3-d pool as one over height and width, then one over depth.
Values pool_in_two(Builder& b, Op row, size_t padding_at) {
  Value* x = b.in(0);
  const Node& node = b.node();
  const auto spread = [&](size_t i) {
    const Ints given = b.ints(i);
    return given.size() == 1 ? Ints(3, given[0]) : given;
  };
  const bool pools_max = row == Op::max_pool2d_with_indices;
  const Ints kernel = spread(1), stride = b.ints(2).empty() ? kernel : spread(2);
  const Ints padding = spread(padding_at);
  if (!pools_max && padding != Ints(3, 0)) {
    return b.unsupported("padding of an average over three dimensions");
  }
  const auto pooled = [&](Value* v, const Ints& k, const Ints& s, const Ints& p, const Ints& d) {
    std::vector<Argument> args = {v, Argument::ints(k), Argument::ints(s), Argument::ints(p)};
    if (pools_max) {
      args.push_back(Argument::ints(d));
    }
    args.push_back(node.arg(pools_max ? 5 : 4));
    return b.call(row, args);
  };
  const Ints dilation = pools_max ? spread(4) : Ints(3, 1);
  const bool unbatched = x->rank() == 4;
  x = unbatched ? b.unsqueeze(x, 0) : x;
  const Dim n = b.size(x, 0), c = b.size(x, 1), d = b.size(x, 2);
  Value* flat = b.view(x, {n, c * d, b.size(x, 3), b.size(x, 4)});
  flat = pooled(flat, {kernel[1], kernel[2]}, {stride[1], stride[2]}, {padding[1], padding[2]},
                {dilation[1], dilation[2]});
  const Dim h = b.size(flat, 2), w = b.size(flat, 3);
  flat = pooled(b.view(flat, {n, c, d, h * w}), {kernel[0], 1}, {stride[0], 1}, {padding[0], 0},
                {dilation[0], 1});
  flat = b.view(flat, {n, c, b.size(flat, 2), h, w});
  return {unbatched ? b.squeeze(flat, 0) : flat};
}

}  // namespace

Values avg_pool3d(Builder& b) {
  if (b.has(6)) {
    return b.unsupported("a divisor over three dimensions");
  }
  return pool_in_two(b, Op::avg_pool2d, 3);
}
Values max_pool3d_with_indices(Builder& b) {
  return pool_in_two(b, Op::max_pool2d_with_indices, 3);
}
Values adaptive_max_pool2d(Builder& b) {
  Value* x = b.in(0);
  const Ints out = b.ints(1);
  const std::optional<int64_t> h = b.size(x, -2).known();
  const std::optional<int64_t> w = b.size(x, -1).known();
  if (!h || !w || out.size() != 2 || out[0] == 0 || out[1] == 0 || *h % out[0] != 0 ||
      *w % out[1] != 0) {
    return b.unsupported("the output size does not divide the input's");
  }
  return b.calls(Op::max_pool2d_with_indices, {x, Argument::ints({*h / out[0], *w / out[1]})});
}

namespace {

// Puts elements of the last `n` dimensions at their flat indices in an image of these sizes.
Values placed(Builder& b, Value* x, Value* indices, const Dims& sizes, size_t n, bool sums) {
  const Dims lead(x->sizes().begin(), x->sizes().end() - static_cast<int64_t>(n));
  const Dims in(x->sizes().end() - static_cast<int64_t>(n), x->sizes().end());
  const Dims out(sizes.end() - static_cast<int64_t>(n), sizes.end());
  const auto flat = [&](Value* v, const Dims& image) {
    Dims shape = lead;
    shape.push_back(numel(image));
    return b.view(v, shape);
  };
  Dims shape = lead;
  shape.push_back(numel(out));
  Value* zeros = b.full(shape, Scalar::of_int(0), x->dtype());
  Value* y = b.call(sums ? Op::scatter_add : Op::scatter_src,
                    {zeros, static_cast<int64_t>(lead.size()), flat(indices, in), flat(x, in)});
  return {b.view(y, sizes)};
}

}  // namespace

Values max_unpool2d(Builder& b) { return placed(b, b.in(0), b.in(1), b.out().sizes, 2, false); }
Values max_unpool3d(Builder& b) { return placed(b, b.in(0), b.in(1), b.out().sizes, 3, false); }
Values max_pool2d_with_indices_backward(Builder& b) {
  return placed(b, b.in(0), b.in(7), b.out().sizes, 2, true);
}

Values col2im(Builder& b) {
  Value* x = b.in(0);
  const bool unbatched = x->rank() == 2;
  x = unbatched ? b.unsqueeze(x, 0) : x;
  const Ints size = b.ints(1), kernel = b.ints(2), dilation = b.ints(3), padding = b.ints(4),
             stride = b.ints(5);
  const int64_t height = size[0] + 2 * padding[0];
  const int64_t width = size[1] + 2 * padding[1];
  const auto count = [&](int64_t length, size_t i) {
    return (length - dilation[i] * (kernel[i] - 1) - 1) / stride[i] + 1;
  };
  const int64_t rows = count(height, 0);
  const int64_t columns = count(width, 1);
  Ints index;
  for (int64_t ky = 0; ky < kernel[0]; ++ky) {
    for (int64_t kx = 0; kx < kernel[1]; ++kx) {
      for (int64_t y = 0; y < rows; ++y) {
        for (int64_t at = 0; at < columns; ++at) {
          index.push_back((ky * dilation[0] + y * stride[0]) * width + kx * dilation[1] +
                          at * stride[1]);
        }
      }
    }
  }
  const Dim n = b.size(x, 0);
  const Dim channels = ir::floor_div(b.size(x, 1), kernel[0] * kernel[1]);
  const Dim all = static_cast<int64_t>(index.size());
  Value* zeros = b.full({n, channels, height * width}, 0.0, x->dtype());
  Value* image =
      b.call(Op::index_add, {zeros, 2, b.int_tensor(index), b.view(x, {n, channels, all})});
  image = b.view(image, {n, channels, height, width});
  image = b.narrow(b.narrow(image, 2, padding[0], size[0]), 3, padding[1], size[1]);
  return {unbatched ? b.squeeze(image, 0) : image};
}

Values im2col(Builder& b) {
  Value* x = b.in(0);
  const bool unbatched = x->rank() == 3;
  x = unbatched ? b.unsqueeze(x, 0) : x;
  const Ints kernel = b.ints(1), dilation = b.ints(2), padding = b.ints(3), stride = b.ints(4);
  x = b.call(Op::constant_pad_nd,
             {x, Argument::ints({padding[1], padding[1], padding[0], padding[0]}), 0});
  const auto windows = [&](int64_t dim, size_t i) {
    const int64_t size = b.size(x, dim).known().value_or(0);
    const int64_t count = (size - dilation[i] * (kernel[i] - 1) - 1) / stride[i] + 1;
    Ints index;
    for (int64_t k = 0; k < kernel[i]; ++k) {
      for (int64_t o = 0; o < count; ++o) {
        index.push_back(k * dilation[i] + o * stride[i]);
      }
    }
    x = b.call(Op::index_select, {x, dim, b.int_tensor(index)});
    return count;
  };
  if (!b.size(x, 2).is_known() || !b.size(x, 3).is_known()) {
    return b.unsupported("the image's sizes must be known");
  }
  const Dim n = b.size(x, 0), c = b.size(x, 1);
  const int64_t rows = windows(2, 0);
  const int64_t columns = windows(3, 1);
  x = b.view(x, {n, c, kernel[0], rows, kernel[1], columns});
  x = b.view(b.permute(x, {0, 1, 2, 4, 3, 5}), {n, c * Dim(kernel[0] * kernel[1]), rows * columns});
  return {unbatched ? b.squeeze(x, 0) : x};
}

namespace {

// How one dimension is resampled.
struct Resampling {
  int64_t in = 0;
  int64_t out = 0;
  double scale = 0;  // input elements per output element
};

// The dimensions behind channels, from recorded sizes and the scale factors where given.
bool resamplings(Builder& b, const std::vector<std::optional<double>>& factors, bool align,
                 std::vector<Resampling>* result) {
  const Value* x = b.in(0);
  for (size_t d = 2; d < x->rank(); ++d) {
    const std::optional<int64_t> in = x->sizes()[d].known();
    const std::optional<int64_t> out = b.out().sizes[d].known();
    if (!in || !out) {
      b.fail("resampling of a size that is not a number");
      return false;
    }
    Resampling r{*in, *out, 0};
    const std::optional<double> factor = d - 2 < factors.size() ? factors[d - 2] : std::nullopt;
    if (align) {
      r.scale = *out > 1 ? static_cast<double>(*in - 1) / static_cast<double>(*out - 1) : 0;
    } else {
      r.scale = factor && *factor > 0 ? 1 / *factor
                                      : static_cast<double>(*in) / static_cast<double>(*out);
    }
    if (x->dtype() != DType::kFloat64) {
      r.scale = static_cast<double>(static_cast<float>(r.scale));
    }
    result->push_back(r);
  }
  return true;
}

std::vector<std::optional<double>> factors_at(Builder& b, size_t i) {
  std::vector<std::optional<double>> factors;
  const Argument& argument = b.node().arg(i);
  if (argument.is_list()) {
    for (const Argument& item : argument.list()) {
      factors.push_back(item.is_number() ? std::optional<double>(item.number()) : std::nullopt);
    }
  }
  return factors;
}

// Scale factors that stand one by one from argument i on.
std::vector<std::optional<double>> loose_factors(Builder& b, size_t from) {
  std::vector<std::optional<double>> factors;
  for (size_t i = from; i < b.node().args().size(); ++i) {
    const Argument& item = b.node().arg(i);
    factors.push_back(item.is_number() ? std::optional<double>(item.number()) : std::nullopt);
  }
  return factors;
}

Values nearest(Builder& b, const std::vector<std::optional<double>>& factors, double centre) {
  std::vector<Resampling> dims;
  if (!resamplings(b, factors, false, &dims)) {
    return b.unsupported("");
  }
  Value* x = b.in(0);
  for (size_t d = 0; d < dims.size(); ++d) {
    Ints index;
    for (int64_t o = 0; o < dims[d].out; ++o) {
      const float at =
          (static_cast<float>(o) + static_cast<float>(centre)) * static_cast<float>(dims[d].scale);
      index.push_back(std::min(static_cast<int64_t>(std::floor(at)), dims[d].in - 1));
    }
    x = b.call(Op::index_select, {x, static_cast<int64_t>(d + 2), b.int_tensor(index)});
  }
  return {x};
}

// Multiplies a dimension by a matrix [out, in].
Value* weighted(Builder& b, Value* x, size_t dim, const std::vector<double>& matrix,
                const Resampling& r) {
  Value* weights = b.constant(ir::make_constant("weights", {DType::kFloat64, {r.out, r.in}, {}},
                                                matrix.data(), matrix.size() * sizeof(double)));
  weights = b.cast(weights, x->dtype());
  const int64_t last = static_cast<int64_t>(x->rank()) - 1;
  Value* moved = b.transpose(x, static_cast<int64_t>(dim), last);
  return b.transpose(matmul(b, moved, b.permute(weights, {1, 0})), static_cast<int64_t>(dim), last);
}

// Each dimension behind channels by a matrix [out, in], of which weigh(r, o, row) adds to row o.
template <class Weigh>
Values resampled(Builder& b, const std::vector<std::optional<double>>& factors, bool align,
                 Weigh weigh) {
  std::vector<Resampling> dims;
  if (!resamplings(b, factors, align, &dims)) {
    return b.unsupported("");
  }
  Value* x = b.widened(b.in(0));
  for (size_t d = 0; d < dims.size(); ++d) {
    const Resampling& r = dims[d];
    std::vector<double> matrix(static_cast<size_t>(r.out * r.in), 0);
    for (int64_t o = 0; o < r.out; ++o) {
      weigh(r, o, matrix.data() + o * r.in);
    }
    x = weighted(b, x, d + 2, matrix, r);
  }
  return {is_integral(b.out().dtype) ? b.unary(Op::floor, b.add(b.clamp(x, 0.0, 255.0), 0.5)) : x};
}

Values linearly(Builder& b, const std::vector<std::optional<double>>& factors, bool align) {
  return resampled(b, factors, align, [align](const Resampling& r, int64_t o, double* row) {
    const double at = align ? static_cast<double>(o) * r.scale
                            : std::max((static_cast<double>(o) + 0.5) * r.scale - 0.5, 0.0);
    const int64_t low = std::min(static_cast<int64_t>(at), r.in - 1);
    const double part = at - static_cast<double>(low);
    row[low] += 1 - part;
    row[std::min(low + 1, r.in - 1)] += part;
  });
}

double triangle(double x, double) { return std::max(0.0, 1 - std::abs(x)); }
double cubic(double x, double a) {
  x = std::abs(x);
  return x < 1   ? ((a + 2) * x - (a + 3)) * x * x + 1
         : x < 2 ? ((x - 5) * x + 8) * a * x - 4 * a
                 : 0;
}

// Antialiasing: the filter widens with the scale.
Values antialiased(Builder& b, const std::vector<std::optional<double>>& factors, bool align,
                   double (*filter)(double, double), double support) {
  const Argument& wanted = b.node().arg(1);
  if (b.in(0)->rank() != 4 || (wanted.is_list() && wanted.list().size() != 2)) {
    return b.unsupported("only images, and two sizes");
  }
  for (const Dim& size : b.dims(1)) {
    if (size.known().value_or(1) <= 0) {
      return b.unsupported("an empty result");
    }
  }
  return resampled(b, factors, align, [=](const Resampling& r, int64_t o, double* row) {
    const double stretch = std::max(r.scale, 1.0);
    const double reach = support * stretch;
    const double centre = r.scale * (static_cast<double>(o) + 0.5);
    const int64_t first = std::max<int64_t>(static_cast<int64_t>(centre - reach + 0.5), 0);
    const int64_t last = std::min<int64_t>(static_cast<int64_t>(centre + reach + 0.5), r.in);
    double total = 0;
    for (int64_t i = first; i < last; ++i) {
      row[i] = filter((static_cast<double>(i) - centre + 0.5) / stretch, -0.5);
      total += row[i];
    }
    for (int64_t i = first; i < last && total != 0; ++i) {
      row[i] /= total;
    }
  });
}

Values cubically(Builder& b, const std::vector<std::optional<double>>& factors, bool align) {
  return resampled(b, factors, align, [align](const Resampling& r, int64_t o, double* row) {
    const double at =
        align ? static_cast<double>(o) * r.scale : (static_cast<double>(o) + 0.5) * r.scale - 0.5;
    const int64_t base = static_cast<int64_t>(std::floor(at));
    for (int64_t k = base - 1; k <= base + 2; ++k) {
      row[std::clamp<int64_t>(k, 0, r.in - 1)] += cubic(at - static_cast<double>(k), -0.75);
    }
  });
}

// The .vec row takes sizes or factors; where both are given the factors say how to sample.
Values as_vec(Builder& b, Op row, bool has_align, size_t factors_from) {
  const std::vector<std::optional<double>> factors = loose_factors(b, factors_from);
  const bool given = std::all_of(factors.begin(), factors.end(), [](const auto& f) { return f; });
  ArgumentList list;
  for (const auto& factor : factors) {
    list.push_back(factor.value_or(0));
  }
  std::vector<Argument> args = {b.in(0), given ? Argument() : b.node().arg(1)};
  if (has_align) {
    args.push_back(b.node().arg(2));
  }
  args.push_back(given ? Argument(list) : Argument());
  return {b.typed(row, std::move(args), b.out())};
}

}  // namespace

Values upsample_nearest1d(Builder& b) { return as_vec(b, Op::upsample_nearest1d_vec, false, 2); }
Values upsample_nearest2d(Builder& b) { return as_vec(b, Op::upsample_nearest2d_vec, false, 2); }
Values upsample_linear1d(Builder& b) { return as_vec(b, Op::upsample_linear1d_vec, true, 3); }
Values upsample_bilinear2d(Builder& b) { return as_vec(b, Op::upsample_bilinear2d_vec, true, 3); }
Values upsample_bicubic2d(Builder& b) { return as_vec(b, Op::upsample_bicubic2d_vec, true, 3); }
Values upsample_nearest1d_vec(Builder& b) { return nearest(b, factors_at(b, 2), 0); }
Values upsample_nearest2d_vec(Builder& b) { return nearest(b, factors_at(b, 2), 0); }
Values upsample_nearest3d_vec(Builder& b) { return nearest(b, factors_at(b, 2), 0); }
Values upsample_nearest3d(Builder& b) { return nearest(b, loose_factors(b, 2), 0); }
Values _upsample_nearest_exact1d_vec(Builder& b) { return nearest(b, factors_at(b, 2), 0.5); }
Values _upsample_nearest_exact2d_vec(Builder& b) { return nearest(b, factors_at(b, 2), 0.5); }
Values _upsample_nearest_exact3d_vec(Builder& b) { return nearest(b, factors_at(b, 2), 0.5); }
Values upsample_linear1d_vec(Builder& b) { return linearly(b, factors_at(b, 3), b.flag(2)); }
Values upsample_bilinear2d_vec(Builder& b) { return linearly(b, factors_at(b, 3), b.flag(2)); }
Values upsample_trilinear3d_vec(Builder& b) { return linearly(b, factors_at(b, 3), b.flag(2)); }
Values upsample_trilinear3d(Builder& b) { return linearly(b, loose_factors(b, 3), b.flag(2)); }
Values upsample_bicubic2d_vec(Builder& b) { return cubically(b, factors_at(b, 3), b.flag(2)); }
Values _upsample_bilinear2d_aa_vec(Builder& b) {
  return antialiased(b, factors_at(b, 3), b.flag(2), triangle, 1);
}
Values _upsample_bilinear2d_aa(Builder& b) {
  return antialiased(b, loose_factors(b, 3), b.flag(2), triangle, 1);
}
Values _upsample_bicubic2d_aa_vec(Builder& b) {
  return antialiased(b, factors_at(b, 3), b.flag(2), cubic, 2);
}

Values affine_grid_generator(Builder& b) {
  Value* theta = b.in(0);
  const Ints size = b.ints(1);
  const bool align = b.flag(2);
  if (size.size() != 4) {
    return b.unsupported("only two-dimensional grids");
  }
  const int64_t h = size[2], w = size[3];
  std::vector<float> base;
  const auto coordinate = [&](int64_t i, int64_t n) {
    const double span = n <= 1 ? 0 : static_cast<double>(2 * i) / static_cast<double>(n - 1) - 1;
    return static_cast<float>(align ? span
                              : n <= 1
                                  ? 0
                                  : span * static_cast<double>(n - 1) / static_cast<double>(n));
  };
  for (int64_t y = 0; y < h; ++y) {
    for (int64_t x = 0; x < w; ++x) {
      base.insert(base.end(), {coordinate(x, w), coordinate(y, h), 1.0F});
    }
  }
  Value* grid = b.constant(ir::make_constant("grid", {DType::kFloat32, {1, h * w, 3}, {}},
                                             base.data(), base.size() * sizeof(float)));
  Value* made = matmul(b, b.cast(grid, theta->dtype()), b.transpose(theta, 1, 2));
  return {b.view(made, {b.size(theta, 0), h, w, 2})};
}

Values _upsample_nearest_exact1d(Builder& b) { return nearest(b, loose_factors(b, 2), 0.5); }
Values _upsample_nearest_exact2d(Builder& b) { return nearest(b, loose_factors(b, 2), 0.5); }
Values _upsample_nearest_exact3d(Builder& b) { return nearest(b, loose_factors(b, 2), 0.5); }

}  // namespace cresset::passes::decompositions
