// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// round(input / scale) + zero_point within the bounds, each index of dimension `axis` its own.
Status qd_quantize_per_channel(KernelContext& context, const Tensor& input, const Tensor& scales,
                               const Tensor& zero_points, int64_t axis, int64_t quant_min,
                               int64_t quant_max, DType, Tensor& out) {
  ChannelParameter scale(scales, input, axis);
  ChannelParameter zero_point(zero_points, input, axis);
  return quantize(context, input, *scale, &*zero_point, ZeroPoint::kAfterRounding,
                  {quant_min, quant_max}, out);
}

}  // namespace cresset::kernels::portable
