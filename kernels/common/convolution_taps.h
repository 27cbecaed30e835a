// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/convolution.h"
#include "kernels/common/tile.h"

// Which inputs the taps of a convolution meet, for the loops over them.
namespace cresset::kernels {

// The input position that output `at` reads through tap k; negative where there is none.
inline int64_t source(const ConvolutionAxis& axis, bool transposed, int64_t at, int64_t k) {
  int64_t from = transposed ? at + axis.padding - k * axis.dilation
                            : at * axis.stride - axis.padding + k * axis.dilation;
  if (transposed) {
    if (from % axis.stride != 0) {
      return -1;
    }
    from /= axis.stride;
  }
  return from < axis.in ? from : -1;
}

inline int64_t ceil_div(int64_t a, int64_t b) {
  return b == 1 ? a : a >= 0 ? (a + b - 1) / b : -(-a / b);
}

// Those of outputs first .. first + count - 1 that tap k reaches; the first of them reads input
// `from`, the next ones `step` further each.
struct Reach {
  Lanes lanes;
  int64_t from, step;
};
inline Reach reach(const ConvolutionAxis& axis, bool transposed, int64_t first, int64_t count,
                   int64_t k) {
  const int64_t shift = axis.padding - k * axis.dilation;
  if (transposed) {
    int64_t from = ceil_div(first + shift, axis.stride);
    from = from < 0 ? 0 : from;
    int64_t end = ceil_div(first + count + shift, axis.stride);
    end = end > axis.in ? axis.in : end;
    return {
        {from * axis.stride - shift - first, axis.stride, end > from ? end - from : 0}, from, 1};
  }
  int64_t begin = ceil_div(shift, axis.stride);
  begin = begin < first ? first : begin;
  int64_t end = ceil_div(axis.in + shift, axis.stride);
  end = end > first + count ? first + count : end;
  return {
      {begin - first, 1, end > begin ? end - begin : 0}, begin * axis.stride - shift, axis.stride};
}

// Calls f(weight offset, input offset) for the taps of the two outer axes that reach (d, h).
template <class F>
void for_each_outer_tap(const Convolution& s, int64_t d, int64_t h, F&& f) {
  for (int64_t kd = 0; kd < s.axis[0].kernel; ++kd) {
    const int64_t in_d = source(s.axis[0], s.transposed, d, kd);
    for (int64_t kh = 0; in_d >= 0 && kh < s.axis[1].kernel; ++kh) {
      const int64_t in_h = source(s.axis[1], s.transposed, h, kh);
      if (in_h >= 0) {
        f(kd * s.weight_at[0] + kh * s.weight_at[1], in_d * s.in_at[0] + in_h * s.in_at[1]);
      }
    }
  }
}

}  // namespace cresset::kernels
