// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convolution.h"

#include <type_traits>

#include "kernels/common/convolution_taps.h"
#include "kernels/common/tile.h"

namespace cresset::kernels {

namespace {

constexpr int64_t kRun = 64;  // sums held at once where channels do not mix

// One plane of outputs for up to kTileRows channels that read the same input channels.
template <class E>
void convolve_tiles(const Convolution& s, typename E::In in, typename E::In weight,
                    const typename E::Compute (&bias)[kTileRows], int64_t channels,
                    typename E::Out out) {
  using C = typename E::Compute;
  for (int64_t d = 0; d < s.axis[0].out; ++d) {
    for (int64_t h = 0; h < s.axis[1].out; ++h) {
      const int64_t row = d * s.out_at[0] + h * s.out_at[1];
      const int64_t width = s.axis[2].out;
      for (int64_t next = 0; next < width; next += kTileLanes) {
        // The last tile overlaps the one before it where that keeps it full.
        const int64_t w =
            next + kTileLanes > width && width > kTileLanes ? width - kTileLanes : next;
        const int64_t count = width - w < kTileLanes ? width - w : int64_t{kTileLanes};
        TileSums<C> sums;
        for (int r = 0; r < kTileRows; ++r) {
          for (int l = 0; l < kTileLanes; ++l) {
            sums[r][l] = bias[r];
          }
        }
        for_each_outer_tap(s, d, h, [&](int64_t weight_from, int64_t in_from) {
          for (int64_t k = 0; k < s.axis[2].kernel; ++k) {
            const Reach to = reach(s.axis[2], s.transposed, w, count, k);
            if (to.lanes.count > 0) {
              multiply_tile<E>({weight + (weight_from + k * s.weight_at[2]), s.weight_out,
                                s.weight_in, channels},
                               {in + (in_from + to.from * s.in_at[2]), s.in_channel,
                                to.step * s.in_at[2], to.lanes},
                               s.in_channels, sums);
            }
          }
        });
        for (int64_t r = 0; r < channels; ++r) {
          for (int64_t l = 0; l < count; ++l) {
            store(out, r * s.out_channel + row + (w + l) * s.out_at[2], sums[r][l]);
          }
        }
      }
    }
  }
}

// One plane of outputs from one plane of inputs.
template <class E>
void convolve_plane(const Convolution& s, typename E::In in, typename E::In weight,
                    typename E::Compute bias, typename E::Out out) {
  using C = typename E::Compute;
  for (int64_t d = 0; d < s.axis[0].out; ++d) {
    for (int64_t h = 0; h < s.axis[1].out; ++h) {
      const int64_t row = d * s.out_at[0] + h * s.out_at[1];
      for (int64_t w = 0; w < s.axis[2].out; w += kRun) {
        const int64_t count = s.axis[2].out - w < kRun ? s.axis[2].out - w : kRun;
        C sums[kRun];
        for (int64_t l = 0; l < count; ++l) {
          sums[l] = bias;
        }
        for_each_outer_tap(s, d, h, [&](int64_t weight_from, int64_t in_from) {
          for (int64_t k = 0; k < s.axis[2].kernel; ++k) {
            const Reach to = reach(s.axis[2], s.transposed, w, count, k);
            const C factor = weight[weight_from + k * s.weight_at[2]];
            const int64_t from = in_from + to.from * s.in_at[2];
            const int64_t step = to.step * s.in_at[2];
            C* const sum = sums + to.lanes.first;
            if (step == 1 && to.lanes.step == 1) {
              for (int64_t l = 0; l < to.lanes.count; ++l) {
                sum[l] = multiply_add(sum[l], factor, in[from + l]);
              }
            } else {
              for (int64_t l = 0; l < to.lanes.count; ++l) {
                C& one = sum[l * to.lanes.step];
                one = multiply_add(one, factor, in[from + l * step]);
              }
            }
          }
        });
        for (int64_t l = 0; l < count; ++l) {
          store(out, row + (w + l) * s.out_at[2], sums[l]);
        }
      }
    }
  }
}

// One row of outputs where every channel is a group and channels lie side by side in memory.
void convolve_channels(const Convolution& s, const float* in, const float* weight,
                       const float* bias, int64_t d, int64_t h, float* out) {
  for (int64_t w = 0; w < s.axis[2].out; ++w) {
    for (int64_t c = 0; c < s.groups; c += kRun) {
      const int64_t count = s.groups - c < kRun ? s.groups - c : kRun;
      float sums[kRun];
      for (int64_t l = 0; l < count; ++l) {
        sums[l] = bias == nullptr ? 0 : bias[c + l];
      }
      for_each_outer_tap(s, d, h, [&](int64_t weight_from, int64_t in_from) {
        for (int64_t k = 0; k < s.axis[2].kernel; ++k) {
          const int64_t in_w = source(s.axis[2], s.transposed, w, k);
          if (in_w < 0) {
            continue;
          }
          const float* const from = in + in_from + in_w * s.in_at[2] + c;
          const float* const factors =
              weight + weight_from + k * s.weight_at[2] + c * s.weight_group;
          for (int64_t l = 0; l < count; ++l) {
            sums[l] += factors[l * s.weight_group] * from[l];
          }
        }
      });
      float* const to = out + d * s.out_at[0] + h * s.out_at[1] + w * s.out_at[2] + c;
      for (int64_t l = 0; l < count; ++l) {
        to[l] = sums[l];
      }
    }
  }
}

bool is_pointwise(const Convolution& s) {
  for (const ConvolutionAxis& axis : s.axis) {
    if (axis.kernel != 1 || axis.stride != 1 || axis.padding != 0 || axis.in != axis.out) {
      return false;
    }
  }
  return true;
}

// Sees the planes of a pointwise convolution as single rows where they lie in memory like that.
void flatten_pointwise(Convolution* s) {
  for (size_t d = kMaxSpatial - 1; d > 0; --d) {
    const ConvolutionAxis& inner = s->axis[kMaxSpatial - 1];
    ConvolutionAxis& outer = s->axis[d - 1];
    const bool one = outer.in == 1;
    if (!one && (s->in_at[d - 1] != s->in_at[kMaxSpatial - 1] * inner.in ||
                 s->out_at[d - 1] != s->out_at[kMaxSpatial - 1] * inner.out)) {
      return;
    }
    const int64_t size = inner.in * outer.in;
    s->axis[kMaxSpatial - 1].in = s->axis[kMaxSpatial - 1].out = size;
    outer.in = outer.out = 1;
  }
}

int64_t grain_of(int64_t work) { return 1 + 65536 / (1 + work); }

}  // namespace

Convolution make_convolution(const Tensor& input, const Tensor& weight, const Tensor& out,
                             const Spread& stride, const Spread& padding, const Spread& dilation,
                             bool transposed, int64_t groups) {
  const size_t spatial = weight.rank() - 2;
  const Volume in(input, spatial), to(out, spatial), kernel(weight, spatial);
  Convolution s = {};
  s.transposed = transposed;
  s.batch = in.batch;
  s.groups = groups;
  s.in_channels = in.channels / groups;
  s.out_channels = to.channels / groups;
  s.in_batch = in.batch_stride, s.in_channel = in.channel_stride;
  s.out_batch = to.batch_stride, s.out_channel = to.channel_stride;
  s.weight_in = transposed ? kernel.batch_stride : kernel.channel_stride;
  s.weight_out = transposed ? kernel.channel_stride : kernel.batch_stride;
  s.weight_group = kernel.batch_stride * (transposed ? s.in_channels : s.out_channels);
  for (size_t d = 0; d < kMaxSpatial; ++d) {
    s.axis[d] = {in.size[d], to.size[d], kernel.size[d], stride[d], padding[d], dilation[d]};
    s.in_at[d] = in.stride[d];
    s.out_at[d] = to.stride[d];
    s.weight_at[d] = kernel.stride[d];
  }
  if (is_pointwise(s)) {
    flatten_pointwise(&s);
  }
  return s;
}

template <class E>
void convolve(KernelContext& context, const Convolution& s, const Tensor& input,
              const Tensor& weight, const Tensor* bias, Tensor& out) {
  using C = typename E::Compute;
  const auto in = elements_of<E>(input);
  const auto factors = elements_of<E>(weight);
  const auto to = elements_of<E>(out);
  if constexpr (std::is_same_v<E, Float32>) {
    if (s.in_channels == 1 && s.out_channels == 1 && s.in_channel == 1 && s.out_channel == 1) {
      const int64_t rows = s.axis[0].out * s.axis[1].out;
      context.parallel_for(s.batch * rows, grain_of(s.groups * s.axis[2].out * s.depth()),
                           [&](int64_t first, int64_t last) {
                             for (int64_t i = first; i < last; ++i) {
                               const int64_t n = i / rows, row = i % rows;
                               convolve_channels(s, in + n * s.in_batch, factors,
                                                 bias == nullptr ? nullptr : bias->data<float>(),
                                                 row / s.axis[1].out, row % s.axis[1].out,
                                                 to + n * s.out_batch);
                             }
                           });
      return;
    }
  }
  const bool planes = s.in_channels == 1 && s.out_channels < kTileRows;
  const int64_t block = planes ? 1 : kTileRows;
  const int64_t blocks = (s.out_channels + block - 1) / block;
  const int64_t work = block * s.depth() * s.axis[0].out * s.axis[1].out * s.axis[2].out;
  context.parallel_for(
      s.batch * s.groups * blocks, grain_of(work), [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          const int64_t channel = i % blocks * block;
          const int64_t group = i / blocks % s.groups;
          const int64_t n = i / blocks / s.groups;
          const int64_t out_channel = group * s.out_channels + channel;
          const auto from = in + (n * s.in_batch + group * s.in_channels * s.in_channel);
          const auto taps = factors + (group * s.weight_group + channel * s.weight_out);
          const auto result = to + (n * s.out_batch + out_channel * s.out_channel);
          const int64_t count = s.out_channels - channel < block ? s.out_channels - channel : block;
          C biases[kTileRows] = {};
          for (int64_t c = 0; bias != nullptr && c < count; ++c) {
            biases[c] = elements_of<E>(*bias)[out_channel + c];
          }
          if (planes) {
            convolve_plane<E>(s, from, taps, biases[0], result);
          } else {
            convolve_tiles<E>(s, from, taps, biases, count, result);
          }
        }
      });
}

#define CRESSET_CONVOLVE(E)                                                                   \
  template void convolve<E>(KernelContext&, const Convolution&, const Tensor&, const Tensor&, \
                            const Tensor*, Tensor&);
CRESSET_CONVOLVE(Float32)
CRESSET_CONVOLVE(Float64)
CRESSET_CONVOLVE(Float16)
CRESSET_CONVOLVE(Integers)
#undef CRESSET_CONVOLVE

}  // namespace cresset::kernels
