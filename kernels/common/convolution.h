// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elements.h"
#include "kernels/common/spatial.h"

namespace cresset::kernels {

// One spatial dimension of a convolution. Forward, output o meets input o * stride - padding +
// k * dilation through tap k of the kernel; transposed, input i meets output
// i * stride - padding + k * dilation.
struct ConvolutionAxis {
  int64_t in, out, kernel, stride, padding, dilation;
};

// A convolution's shape. Strides are in elements.
struct Convolution {
  bool transposed;
  int64_t batch, groups;
  int64_t in_channels, out_channels;  // of one group
  ConvolutionAxis axis[kMaxSpatial];
  int64_t in_batch, in_channel, in_at[kMaxSpatial];
  int64_t out_batch, out_channel, out_at[kMaxSpatial];
  int64_t weight_group, weight_in, weight_out, weight_at[kMaxSpatial];

  // Taps of one output element.
  int64_t depth() const { return in_channels * axis[0].kernel * axis[1].kernel * axis[2].kernel; }
};

// `transposed`, `stride`, `padding` and `dilation` as in aten::convolution; shapes must fit.
Convolution make_convolution(const Tensor& input, const Tensor& weight, const Tensor& out,
                             const Spread& stride, const Spread& padding, const Spread& dilation,
                             bool transposed, int64_t groups);

// Computes `out`. `bias` may be null. Defined for each way to compute elements.
template <class E>
void convolve(KernelContext& context, const Convolution& shape, const Tensor& input,
              const Tensor& weight, const Tensor* bias, Tensor& out);

}  // namespace cresset::kernels
