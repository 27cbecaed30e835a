// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// Halves to even, computed in float32; NaN gives quant_min.
Status qd_quantize_per_tensor(KernelContext& context, const Tensor& input, double scale,
                              int64_t zero_point, int64_t quant_min, int64_t quant_max, DType,
                              Tensor& out) {
  if (input.dtype() != DType::kFloat32 && input.dtype() != DType::kFloat16 &&
      input.dtype() != DType::kBFloat16) {
    return context.fail(Status::kInvalidType, "input: {} is not supported", input.dtype());
  }
  const float inverse = static_cast<float>(1.0 / scale);
  const float zero = static_cast<float>(zero_point);
  const float low = static_cast<float>(quant_min);
  const float high = static_cast<float>(quant_max);
  return map<float, int64_t>(context, out, DType::kFloat32, input, [=](float x) {
    const float q = std::nearbyint(x * inverse) + zero;
    return !(q > low) ? quant_min : q >= high ? quant_max : static_cast<int64_t>(q);
  });
}

}  // namespace cresset::kernels::portable
