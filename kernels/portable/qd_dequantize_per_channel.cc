// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// (input - zero_point) * scale, each index of dimension `axis` its own.
Status qd_dequantize_per_channel(KernelContext& context, const Tensor& input, const Tensor& scales,
                                 const Tensor* zero_points, int64_t axis, int64_t, int64_t,
                                 DType dtype, Optional<DType>, Tensor& out) {
  ChannelParameter scale(scales, input, axis);
  if (zero_points == nullptr) {
    return dequantize(context, input, dtype, *scale, nullptr, out);
  }
  ChannelParameter zero_point(*zero_points, input, axis);
  return dequantize(context, input, dtype, *scale, &*zero_point, out);
}

}  // namespace cresset::kernels::portable
