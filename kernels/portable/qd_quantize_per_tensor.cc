// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// round(input / scale) + zero_point within the bounds, computed in float32.
Status qd_quantize_per_tensor(KernelContext& context, const Tensor& input, double scale,
                              int64_t zero_point, int64_t quant_min, int64_t quant_max, DType,
                              Tensor& out) {
  return quantize(context, input, scale, zero_point, {quant_min, quant_max}, out);
}

}  // namespace cresset::kernels::portable
