// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// As qd_dequantize_per_tensor, with tensors of one element for scale and zero point.
Status qd_dequantize_per_tensor_tensor(KernelContext& context, const Tensor& input,
                                       const Tensor& scale, const Tensor& zero_point, int64_t,
                                       int64_t, DType dtype, Optional<DType>, Tensor& out) {
  return dequantize(context, input, dtype, number_of(scale),
                    static_cast<int64_t>(number_of(zero_point)), out);
}

}  // namespace cresset::kernels::portable
