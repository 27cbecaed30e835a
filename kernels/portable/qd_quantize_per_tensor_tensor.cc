// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// As qd_quantize_per_tensor, with tensors of one element for scale and zero point.
Status qd_quantize_per_tensor_tensor(KernelContext& context, const Tensor& input,
                                     const Tensor& scale, const Tensor& zero_point,
                                     int64_t quant_min, int64_t quant_max, DType, Tensor& out) {
  return quantize(context, input, number_of(scale), static_cast<int64_t>(number_of(zero_point)),
                  {quant_min, quant_max}, out);
}

}  // namespace cresset::kernels::portable
