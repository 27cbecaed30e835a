// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>

#include "core/kernel_context.h"
#include "core/optional.h"
#include "core/tensor.h"

namespace cresset::kernels {

enum class Filter : uint8_t { kNearest, kLinear, kCubic };

// How the outputs of one dimension lie over its inputs.
template <class C>
struct ResizeAxis {
  int64_t in, out;
  C scale;  // inputs an output step
  bool align_corners;
};

// `factor` is the scale factor that the caller asked for, outputs an input step, where it did.
template <class C>
ResizeAxis<C> resize_axis(int64_t in, int64_t out, bool align_corners, Optional<double> factor) {
  C scale = 0;
  if (align_corners) {
    scale = out > 1 ? static_cast<C>(in - 1) / static_cast<C>(out - 1) : C(0);
  } else {
    scale = factor.has_value() && *factor > 0 ? static_cast<C>(1.0 / *factor)
                                              : static_cast<C>(in) / static_cast<C>(out);
  }
  return {in, out, scale, align_corners};
}

// The inputs that make up one output, and their weights.
template <class C>
struct Taps {
  int count;
  int64_t at[4];
  C weight[4];
};

// Keys' cubic kernel at distances t + 1, t, 1 - t and 2 - t, with the parameter -0.75.
template <class C>
void cubic_weights(C t, C (&weight)[4]) {
  const C a = C(-0.75);
  const auto near = [a](C x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  const auto far = [a](C x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  weight[0] = far(t + 1);
  weight[1] = near(t);
  weight[2] = near(1 - t);
  weight[3] = far(2 - t);
}

template <class C>
Taps<C> taps_of(const ResizeAxis<C>& axis, Filter filter, int64_t at) {
  const auto inside = [&axis](int64_t i) { return i < 0 ? 0 : i < axis.in ? i : axis.in - 1; };
  if (filter == Filter::kNearest) {
    return {1, {inside(static_cast<int64_t>(std::floor(static_cast<C>(at) * axis.scale)))}, {1}};
  }
  if (filter == Filter::kLinear && axis.in == axis.out) {
    return {1, {at}, {1}};
  }
  C from = axis.align_corners ? axis.scale * static_cast<C>(at)
                              : axis.scale * (static_cast<C>(at) + C(0.5)) - C(0.5);
  if (filter == Filter::kLinear && from < 0) {
    from = 0;
  }
  int64_t first = static_cast<int64_t>(std::floor(from));
  first = first < axis.in ? first : axis.in - 1;
  C part = from - static_cast<C>(first);
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  Taps<C> taps;
  if (filter == Filter::kLinear) {
    return {2, {inside(first), inside(first + 1)}, {1 - part, part}};
  }
  taps.count = 4;
  cubic_weights(part, taps.weight);
  for (int i = 0; i < 4; ++i) {
    taps.at[i] = inside(first + i - 1);
  }
  return taps;
}

// out = input, [n, c, spatial...], resized to out's sizes. `factors` as above for each spatial
// dimension, where they were given. Nearest takes every dtype, the others floats and uint8; bytes
// are computed in fixed point, the last dimension first, as PyTorch does.
Status resize(KernelContext& context, Filter filter, const Tensor& input, bool align_corners,
              Optional<Span<const double>> factors, Tensor& out);

}  // namespace cresset::kernels
