// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// (input - zero_point) * scale, each row (last dimension) its own.
Status qd_dequantize_per_token(KernelContext& context, const Tensor& input, const Tensor& scales,
                               const Tensor& zero_points, int64_t, int64_t, DType dtype, DType,
                               Tensor& out) {
  return dequantize(context, input, dtype, scales, &zero_points, out);
}

}  // namespace cresset::kernels::portable
