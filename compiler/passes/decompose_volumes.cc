// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/decompositions.h"

// Pools and resampling that look elements up: in three dimensions, or at places that data gives.
namespace cresset::passes::decompositions {

namespace {

Ints spread(Builder& b, size_t i, size_t count) {
  const Ints given = b.ints(i);
  return given.size() == 1 ? Ints(count, given[0]) : given;
}

// Leading dimensions in one, the last `last` as they are.
Value* flat_leading(Builder& b, Value* x, size_t last) {
  const auto split = x->sizes().end() - static_cast<int64_t>(last);
  Dims sizes = {numel({x->sizes().begin(), split})};
  sizes.insert(sizes.end(), split, x->sizes().end());
  return b.view(x, sizes);
}

// x[p, index[p, ...]] of a [planes, elements] tensor.
Value* looked_up(Builder& b, Value* x, Value* index) {
  const Dims sizes = index->sizes();
  Value* flat = b.view(index, {sizes[0], numel({sizes.begin() + 1, sizes.end()})});
  return b.view(b.call(Op::gather, {x, 1, flat}), sizes);
}

// `v` of [planes, n] with n in dimension `dim` of `rank`, the others 1.
Value* at_dim(Builder& b, Value* v, size_t dim, size_t rank) {
  Dims sizes(rank, Dim(1));
  sizes[0] = b.size(v, 0);
  sizes[dim] = b.size(v, 1);
  return b.view(v, sizes);
}

}  // namespace

// Over height and width of each slice, then over depth; the second pool's place leads back to the
// first one's.
Values adaptive_max_pool3d(Builder& b) {
  Value* x = b.in(0);
  const Ints out = spread(b, 1, 3);
  if (x->rank() < 4 || out.size() != 3) {
    return b.unsupported("only volumes, and one or three sizes");
  }
  const Dim d = b.size(x, -3), h = b.size(x, -2), w = b.size(x, -1);
  const Dim area = Dim(out[1] * out[2]);
  Value* planes = flat_leading(b, x, 3);
  const Dim n = b.size(planes, 0);
  Values first = b.calls(Op::adaptive_max_pool2d, {planes, Argument::ints({out[1], out[2]})});
  Values second = b.calls(Op::adaptive_max_pool2d, {b.view(first[0], {n, d, area}),
                                                    Argument::ints({out[0], out[1] * out[2]})});
  Value* places = b.view(second[1], {n, Dim(out[0]) * area});
  Value* inner = b.call(Op::gather, {b.view(first[1], {n, d * area}), 1, places});
  Value* slice = b.call(Op::div_scalar_mode, {places, b.argument(area), "floor"});
  Value* index = b.add(inner, b.mul(slice, b.argument(h * w)));
  return {b.view(second[0], b.out(0).sizes), b.view(index, b.out(1).sizes)};
}

namespace {

// Windows of fixed size whose starts depend on a random number of their plane.
Values fractional_pool(Builder& b, size_t spatial) {
  Value* x = b.in(0);
  const Ints kernel = spread(b, 1, spatial), out = spread(b, 2, spatial);
  Value* samples = b.in(3);
  if (x->rank() < spatial + 1 || kernel.size() != spatial || out.size() != spatial ||
      samples->rank() != 3 || !(b.size(samples, 2) == Dim(static_cast<int64_t>(spatial)))) {
    return b.unsupported("these shapes");
  }
  Value* planes = flat_leading(b, x, spatial);
  const Dim n = b.size(planes, 0);
  Value* numbers = b.view(samples, {n, Dim(static_cast<int64_t>(spatial))});
  const size_t rank = 1 + 2 * spatial;  // planes, outputs, windows
  Value* place = nullptr;
  Dim elements(1);
  for (size_t i = spatial; i-- > 0;) {
    const Dim size = b.size(planes, static_cast<int64_t>(i) + 1);
    if (!size.is_known() || *size.known() < kernel[i] + out[i] - 1) {
      return b.unsupported("windows that do not fit");
    }
    // In two dimensions the first number is the width's.
    const int64_t from = static_cast<int64_t>(spatial == 2 ? 1 - i : i);
    Value* sample = b.narrow(numbers, 1, from, 1);
    Value* steps = b.cast(b.iota(out[i] - 1), sample->dtype());
    const int64_t last = *size.known() - kernel[i];
    Values starts;
    if (out[i] > 1) {
      Value* alpha = b.cast(b.div(b.scalar(static_cast<double>(last), sample->dtype()),
                                  static_cast<double>(out[i] - 1)),
                            sample->dtype());
      Value* whole = b.cast(b.mul(b.add(sample, steps), alpha), DType::kInt64);
      starts.push_back(b.sub(whole, b.cast(b.mul(sample, alpha), DType::kInt64)));
    }
    starts.push_back(b.full({n, Dim(1)}, Scalar::of_int(last), DType::kInt64));
    Value* window = b.iota(kernel[i]);
    Dims window_sizes(rank, Dim(1));
    window_sizes[1 + spatial + i] = kernel[i];
    Value* at = b.add(at_dim(b, b.cat(starts, 1), 1 + i, rank), b.view(window, window_sizes));
    Value* scaled = elements == Dim(1) ? at : b.mul(at, b.argument(elements));
    place = place == nullptr ? scaled : b.add(place, scaled);
    elements = elements * size;
  }
  Dims sizes = {n};
  int64_t area = 1;
  for (size_t i = 0; i < spatial; ++i) {
    sizes.push_back(out[i]);
    area *= kernel[i];
  }
  sizes.push_back(area);
  place = b.view(place, sizes);
  Value* values = looked_up(b, b.view(planes, {n, elements}), place);
  const int64_t dim = static_cast<int64_t>(sizes.size()) - 1;
  Values best = b.calls(Op::max_dim, {values, dim, true});
  Value* index = b.call(Op::gather, {place, dim, best[1]});
  return {b.view(best[0], b.out(0).sizes), b.view(index, b.out(1).sizes)};
}

// A coordinate reflected between two borders that are `low` and `low + span`.
Value* reflected(Builder& b, Value* x, double low, double span) {
  if (span <= 0) {
    return b.mul(x, 0.0);
  }
  Value* distance = b.unary(Op::abs, b.sub(x, low));
  Value* rest = b.call(Op::fmod_scalar, {distance, span});
  Value* flips = b.unary(Op::floor, b.div(distance, span));
  Value* odd = b.ne(b.call(Op::fmod_scalar, {flips, 2.0}), 0);
  return b.where(odd, b.sub(Argument(span + low), rest), b.add(rest, low));
}

}  // namespace

Values fractional_max_pool2d(Builder& b) { return fractional_pool(b, 2); }
Values fractional_max_pool3d(Builder& b) { return fractional_pool(b, 3); }

Values grid_sampler_3d(Builder& b) {
  constexpr int64_t kNearest = 1, kBorder = 1, kReflection = 2;
  Value* x = b.widened(b.in(0));
  Value* grid = b.widened(b.in(1));
  const int64_t mode = b.integer(2), padding = b.integer(3);
  const bool corners = b.flag(4);
  if (x->rank() != 5 || grid->rank() != 5 || mode > kNearest || !(b.size(grid, 4) == Dim(3))) {
    return b.unsupported("these shapes or this mode");
  }
  const Dim n = b.size(x, 0), c = b.size(x, 1);
  const Dim places = b.size(grid, 1) * b.size(grid, 2) * b.size(grid, 3);
  // Width comes first in the grid.
  Value* at[3];
  int64_t size[3];
  for (size_t i = 0; i < 3; ++i) {
    const std::optional<int64_t> known = b.size(x, 4 - static_cast<int64_t>(i)).known();
    if (!known || *known == 0) {
      return b.unsupported("a volume of unknown size or without elements");
    }
    size[i] = *known;
    const double extent = static_cast<double>(size[i]);
    Value* v = b.view(b.select(grid, 4, static_cast<int64_t>(i)), {n, Dim(1), places});
    v = b.add(v, 1.0);
    v = corners ? b.mul(b.div(v, 2.0), extent - 1) : b.div(b.sub(b.mul(v, extent), 1.0), 2.0);
    if (padding == kReflection) {
      v = corners ? reflected(b, v, 0, extent - 1) : reflected(b, v, -0.5, extent);
    }
    if (padding == kBorder || padding == kReflection) {
      v = b.clamp(v, 0.0, extent - 1);
    }
    at[i] = v;
  }
  Value* volume = b.view(x, {n, c, Dim(size[0] * size[1] * size[2])});
  // The elements at whole coordinates, 0 outside.
  const auto elements_at = [&](Value* const(&whole)[3]) {
    Value* inside = nullptr;
    Value* index = nullptr;
    int64_t stride = 1;
    for (size_t i = 0; i < 3; ++i) {
      Value* within = b.call(Op::logical_and,
                             {b.ge(whole[i], 0), b.le(whole[i], static_cast<double>(size[i] - 1))});
      inside = inside == nullptr ? within : b.call(Op::logical_and, {inside, within});
      Value* safe = b.where(within, whole[i], 0.0);
      Value* part = b.mul(b.cast(safe, DType::kInt64), stride);
      index = index == nullptr ? part : b.add(index, part);
      stride *= size[i];
    }
    Value* found = b.call(Op::gather, {volume, 2, b.expand(index, {n, c, places})});
    return b.where(inside, found, 0.0);
  };
  Value* sum = nullptr;
  if (mode == kNearest) {
    Value* const whole[3] = {b.unary(Op::round, at[0]), b.unary(Op::round, at[1]),
                             b.unary(Op::round, at[2])};
    sum = elements_at(whole);
  } else {
    Value* low[3];
    for (size_t i = 0; i < 3; ++i) {
      low[i] = b.unary(Op::floor, at[i]);
    }
    for (unsigned corner = 0; corner < 8; ++corner) {
      Value* whole[3];
      Value* weight = nullptr;
      for (size_t i = 0; i < 3; ++i) {
        const bool upper = (corner >> i & 1) != 0;
        whole[i] = upper ? b.add(low[i], 1.0) : low[i];
        Value* share = upper ? b.sub(at[i], low[i]) : b.sub(b.add(low[i], 1.0), at[i]);
        weight = weight == nullptr ? share : b.mul(weight, share);
      }
      Value* term = b.mul(elements_at(whole), weight);
      sum = sum == nullptr ? term : b.add(sum, term);
    }
  }
  return {b.view(sum, b.out().sizes)};
}

}  // namespace cresset::passes::decompositions
