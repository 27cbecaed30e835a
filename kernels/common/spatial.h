// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/span.h"
#include "core/tensor.h"

namespace cresset::kernels {

inline constexpr size_t kMaxSpatial = 3;

// A place in a Volume.
struct Place {
  int64_t batch, channel, at[kMaxSpatial];
};

// A tensor [channels, spatial...] or [batch, channels, spatial...] seen with a batch and three
// spatial dimensions: what is missing has size 1. Strides are in elements.
struct Volume {
  int64_t batch = 1, channels = 1;
  int64_t size[kMaxSpatial] = {1, 1, 1};
  int64_t batch_stride = 0, channel_stride = 0;
  int64_t stride[kMaxSpatial] = {};

  Volume(const Tensor& tensor, size_t spatial) {
    const size_t first = tensor.rank() - spatial;
    for (size_t d = 0; d < spatial; ++d) {
      size[kMaxSpatial - spatial + d] = tensor.size(first + d);
      stride[kMaxSpatial - spatial + d] = tensor.stride(first + d);
    }
    channels = tensor.size(first - 1);
    channel_stride = tensor.stride(first - 1);
    if (first > 1) {
      batch = tensor.size(first - 2);
      batch_stride = tensor.stride(first - 2);
    }
  }
  int64_t positions() const { return size[0] * size[1] * size[2]; }
  int64_t offset(const Place& p) const {
    return p.batch * batch_stride + p.channel * channel_stride + p.at[0] * stride[0] +
           p.at[1] * stride[1] + p.at[2] * stride[2];
  }
};

// An int[] argument of `spatial` entries, or of one for all, spread to three dimensions; those that
// are missing get `missing`, as does an empty list.
struct Spread {
  int64_t value[kMaxSpatial];

  Spread(Span<const int64_t> list, size_t spatial, int64_t missing) {
    for (size_t d = 0; d < kMaxSpatial; ++d) {
      const bool given = !list.empty() && d + spatial >= kMaxSpatial;
      value[d] = given ? list[list.size() == 1 ? 0 : d + spatial - kMaxSpatial] : missing;
    }
  }
  int64_t operator[](size_t d) const { return value[d]; }
};

}  // namespace cresset::kernels
