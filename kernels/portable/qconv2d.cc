// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_convolution.h"

namespace cresset::kernels::portable {

// Convolution of [n, c, h, w] by [filters, c / groups, kh, kw], requantized.
Status qconv2d(KernelContext& context, const Tensor& x, const Tensor& weight, const Tensor* bias,
               const Tensor& scale, const Tensor* shift, double x_scale, int64_t x_zero,
               double y_scale, int64_t y_zero, int64_t y_min, int64_t y_max, IntSpan stride,
               IntSpan padding, IntSpan dilation, int64_t groups, Optional<DType>, Tensor& out) {
  const ChannelScales scales{scale, shift, x_scale, y_scale, quant_range(y_zero, y_min, y_max)};
  CRESSET_TRY(scales.check(context));
  const Convolution shape =
      make_convolution(x, weight, out, Spread(stride, 2, 1), Spread(padding, 2, 0),
                       Spread(dilation, 2, 1), false, groups);
  convolve_integers(context, shape, x, x_zero, weight, bias, scales, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
