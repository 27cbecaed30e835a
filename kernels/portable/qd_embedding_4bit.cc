// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/quantized_embedding.h"

namespace cresset::kernels::portable {

// Rows of 4-bit quantized numbers for indices, made floating.
Status qd_embedding_4bit(KernelContext& context, const Tensor& weight, const Tensor& scales,
                         const Tensor* zero_points, int64_t quant_min, int64_t quant_max,
                         const Tensor& indices, Tensor& out) {
  return quantized_embedding(context, {weight, scales, zero_points, 4, {quant_min, quant_max}},
                             indices, out);
}

}  // namespace cresset::kernels::portable
