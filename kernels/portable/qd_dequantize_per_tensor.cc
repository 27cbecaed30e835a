// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// (input - zero_point) * scale
Status qd_dequantize_per_tensor(KernelContext& context, const Tensor& input, double scale,
                                int64_t zero_point, int64_t, int64_t, DType dtype, Optional<DType>,
                                Tensor& out) {
  return dequantize(context, input, dtype, scale, zero_point, out);
}

}  // namespace cresset::kernels::portable
