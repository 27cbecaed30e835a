// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>

#include "kernels/common/resize.h"

namespace cresset::kernels {

// PyTorch's numbers.
enum class GridPadding : uint8_t { kZeros = 0, kBorder = 1, kReflection = 2 };

// One dimension of an image of `size` elements that a grid of coordinates in [-1, 1] samples.
struct GridAxis {
  int64_t size;
  GridPadding padding;
  bool align_corners;  // -1 and 1 are the centres of the border elements, not their outer edges
};

// The coordinate in elements. `round` takes every intermediate result to the grid's dtype: a
// nearest element depends on it.
template <class C, class Round>
C grid_position(const GridAxis& axis, C coordinate, const Round& round) {
  const C from_edge = round(coordinate + 1);
  return axis.align_corners ? round(from_edge * (static_cast<C>(axis.size - 1) / 2))
                            : round(round(from_edge * (static_cast<C>(axis.size) / 2)) - C(0.5));
}

// Moves a position into the image where the padding says so. NaN becomes -1.
template <class C>
C pad_position(const GridAxis& axis, C at) {
  const C last = static_cast<C>(axis.size - 1);
  if (at != at) {
    at = -1;
  }
  if (axis.padding == GridPadding::kReflection) {
    const C low = axis.align_corners ? C(0) : C(-0.5);
    const C span = axis.align_corners ? last : last + 1;
    if (span == 0) {
      return 0;
    }
    at = std::fabs(at - low);
    const C flips = std::floor(at / span);
    const C rest = std::fmod(at, span);
    at = low + (std::fmod(flips, C(2)) == 0 ? rest : span - rest);
  }
  if (axis.padding != GridPadding::kZeros) {
    at = at > 0 ? (at < last ? at : last) : C(0);
  }
  return at;
}

// The element at a whole position, or -1 where it lies outside the image.
template <class C>
int64_t grid_element(const GridAxis& axis, C at) {
  return at >= 0 && at < static_cast<C>(axis.size) ? static_cast<int64_t>(at) : -1;
}

// The elements that make up the sample at `coordinate`, -1 for those outside the image.
template <class C, class Round>
Taps<C> grid_taps(const GridAxis& axis, Filter filter, C coordinate, const Round& round) {
  const C at = grid_position(axis, coordinate, round);
  if (filter == Filter::kNearest) {
    return {1, {grid_element(axis, std::nearbyint(pad_position(axis, at)))}, {1}};
  }
  if (filter == Filter::kLinear) {
    const C padded = pad_position(axis, at);
    const C first = std::floor(padded);
    const C part = padded - first;
    return {2, {grid_element(axis, first), grid_element(axis, first + 1)}, {1 - part, part}};
  }
  Taps<C> taps;
  taps.count = 4;
  const C first = std::floor(at);
  cubic_weights(at - first, taps.weight);
  for (int i = 0; i < 4; ++i) {
    taps.at[i] = grid_element(axis, pad_position(axis, first + static_cast<C>(i - 1)));
  }
  return taps;
}

}  // namespace cresset::kernels
