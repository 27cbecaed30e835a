// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elements.h"
#include "kernels/common/spatial.h"

namespace cresset::kernels {

// The part of the input that one output of a pool covers: along each dimension `count` positions
// from `first`, `step` apart, all inside the input. `size` is the product of the window's extents
// clipped to the padded input: the divisor of a mean that counts padding.
struct Window {
  int64_t first[kMaxSpatial], count[kMaxSpatial];
  int64_t size = 1;
  int64_t positions() const { return count[0] * count[1] * count[2]; }
};

// How outputs name their windows.
struct Pool {
  bool adaptive = false;
  int64_t kernel[kMaxSpatial], stride[kMaxSpatial], padding[kMaxSpatial], dilation[kMaxSpatial];

  // Windows of `kernel` elements; an empty stride means the kernel's size.
  Pool(size_t spatial, Span<const int64_t> kernel_size, Span<const int64_t> strides,
       Span<const int64_t> paddings, Span<const int64_t> dilations);
  // Windows that divide the input evenly among the outputs.
  Pool() : adaptive(true) {
    for (int64_t& step : dilation) {
      step = 1;
    }
  }

  // Sets dimension d of the window for output `at` of `out`, over an input of size `in`.
  void place(size_t d, int64_t at, int64_t in, int64_t out, Window* window) const;
};

// Calls f(window, input offset of the plane, place of the output) for every output element, in an
// order that walks memory well. Offsets are in elements.
template <class F>
void for_each_window(KernelContext& context, const Pool& pool, const Volume& in, const Volume& out,
                     const F& f) {
  const bool channels_inside = out.channel_stride == 1 && out.channels > 1;
  const int64_t outer = channels_inside ? 1 : out.channels;
  const int64_t inner = channels_inside ? out.channels : 1;
  context.parallel_for(
      out.batch * outer, 1 + 8192 / (1 + inner * out.positions()),
      [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          Place to = {i / outer, 0, {}};
          const int64_t channel = i % outer;
          Window window;
          for (to.at[0] = 0; to.at[0] < out.size[0]; ++to.at[0]) {
            for (to.at[1] = 0; to.at[1] < out.size[1]; ++to.at[1]) {
              for (to.at[2] = 0; to.at[2] < out.size[2]; ++to.at[2]) {
                window.size = 1;
                for (size_t d = 0; d < kMaxSpatial; ++d) {
                  pool.place(d, to.at[d], in.size[d], out.size[d], &window);
                }
                for (to.channel = channel; to.channel < channel + inner; ++to.channel) {
                  f(window, to.batch * in.batch_stride + to.channel * in.channel_stride, to);
                }
              }
            }
          }
        }
      });
}

// Calls f(input offset, position in the plane) for the elements of a window.
template <class F>
void for_each_in_window(const Pool& pool, const Volume& in, const Window& window, F&& f) {
  for (int64_t d = 0; d < window.count[0]; ++d) {
    const int64_t at_d = window.first[0] + d * pool.dilation[0];
    for (int64_t h = 0; h < window.count[1]; ++h) {
      const int64_t at_h = window.first[1] + h * pool.dilation[1];
      const int64_t row = at_d * in.stride[0] + at_h * in.stride[1];
      const int64_t place = (at_d * in.size[1] + at_h) * in.size[2];
      for (int64_t w = 0; w < window.count[2]; ++w) {
        const int64_t at_w = window.first[2] + w * pool.dilation[2];
        f(row + at_w * in.stride[2], place + at_w);
      }
    }
  }
}

// out = maximum of each window, indices = its place in the plane, unless null; NaN wins.
Status max_pool(KernelContext& context, const Pool& pool, size_t spatial, const Tensor& self,
                Tensor& out, Tensor* indices);

// out = mean of each window; integers truncate. The divisor is `divisor` unless 0, else the
// window's size, with or without the padding that it covers.
Status mean_pool(KernelContext& context, const Pool& pool, size_t spatial, const Tensor& self,
                 bool count_padding, int64_t divisor, Tensor& out);

}  // namespace cresset::kernels
