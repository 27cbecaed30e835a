// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convolution.h"

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// Convolution (cross-correlation) over one to three dimensions of [n, c, spatial...], or its
// transpose; output_padding is in out's sizes. Integers wrap.
Status convolution(KernelContext& context, const Tensor& input, const Tensor& weight,
                   const Tensor* bias, ops::IntSpan stride, ops::IntSpan padding,
                   ops::IntSpan dilation, bool transposed, ops::IntSpan output_padding,
                   int64_t groups, Tensor& out) {
  const size_t spatial = weight.rank() - 2;
  if (spatial > kMaxSpatial) {
    return context.fail(Status::kNotSupported, "weight must have 3 to 5 dimensions, got {}",
                        weight.rank());
  }
  const Convolution shape =
      make_convolution(input, weight, out, Spread(stride, spatial, 1), Spread(padding, spatial, 0),
                       Spread(dilation, spatial, 1), transposed, groups);
  return dispatch_elements(context, input.dtype(), [&](auto e) {
    convolve<decltype(e)>(context, shape, input, weight, bias, out);
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
