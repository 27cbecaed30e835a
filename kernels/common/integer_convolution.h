// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/convolution.h"
#include "kernels/common/requantize.h"

namespace cresset::kernels {

// Computes `out` of a quantized convolution: the sums of (x - x_zero) * weight wrap at 32 bits.
// `bias` may be null; `scales` have been checked.
void convolve_integers(KernelContext& context, const Convolution& shape, const Tensor& x,
                       int64_t x_zero, const Tensor& weight, const Tensor* bias,
                       const ChannelScales& scales, Tensor& out);

}  // namespace cresset::kernels
