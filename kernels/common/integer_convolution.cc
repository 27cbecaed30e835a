// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_convolution.h"

#include "kernels/common/integer_elements.h"

namespace cresset::kernels {

namespace {

// The input position that output `at` reads through tap k; negative where there is none.
int64_t source(const ConvolutionAxis& axis, bool transposed, int64_t at, int64_t k) {
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

}  // namespace

void convolve_integers(KernelContext& context, const Convolution& s, const Tensor& x,
                       int64_t x_zero, const Tensor& weight, const Tensor* bias,
                       const ChannelScales& scales, Tensor& out) {
  const Differences in(x, x_zero);
  const int8_t* const factors = weight.data<int8_t>();
  const IntegerOut to(out);
  const int64_t channels = s.groups * s.out_channels;
  context.parallel_for(s.batch * channels, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t n = i / channels, channel = i % channels;
      const int64_t group = channel / s.out_channels;
      const Requantizer requantize = scales.of(channel);
      const Differences from = in + (n * s.in_batch + group * s.in_channels * s.in_channel);
      const int8_t* const taps =
          factors + group * s.weight_group + channel % s.out_channels * s.weight_out;
      const IntegerOut result = to + (n * s.out_batch + channel * s.out_channel);
      for (int64_t h = 0; h < s.axis[1].out; ++h) {
        for (int64_t w = 0; w < s.axis[2].out; ++w) {
          uint32_t sum =
              bias == nullptr ? 0 : static_cast<uint32_t>(bias->data<int32_t>()[channel]);
          for (int64_t kh = 0; kh < s.axis[1].kernel; ++kh) {
            const int64_t in_h = source(s.axis[1], s.transposed, h, kh);
            for (int64_t kw = 0; in_h >= 0 && kw < s.axis[2].kernel; ++kw) {
              const int64_t in_w = source(s.axis[2], s.transposed, w, kw);
              for (int64_t c = 0; in_w >= 0 && c < s.in_channels; ++c) {
                sum += static_cast<uint32_t>(
                    from[in_h * s.in_at[1] + in_w * s.in_at[2] + c * s.in_channel] *
                    taps[kh * s.weight_at[1] + kw * s.weight_at[2] + c * s.weight_in]);
              }
            }
          }
          result.store(h * s.out_at[1] + w * s.out_at[2], requantize(static_cast<int32_t>(sum)));
        }
      }
    }
  });
}

}  // namespace cresset::kernels
