// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/choose_qparams.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// One scale, at least eps, and zero point for all elements, which 0 is counted among.
Status qd_choose_qparams_tensor(KernelContext& context, const Tensor& input, int64_t quant_min,
                                int64_t quant_max, double eps, DType, Tensor& scale,
                                Tensor& zero_point) {
  if (input.dtype() != DType::kFloat32 || input.numel() == 0) {
    return context.fail(Status::kInvalidType, "input: {} with {} elements is not supported",
                        input.dtype(), input.numel());
  }
  LocalTensor scale_number(scale.dtype(), {}, scale.mutable_raw_data(), scale.nbytes());
  LocalTensor zero_number(zero_point.dtype(), {}, zero_point.mutable_raw_data(),
                          zero_point.nbytes());
  const float steps = static_cast<float>(quant_max - quant_min);
  const float least = static_cast<float>(eps);
  choose_qparams<float>(
      input, (uint32_t{1} << input.rank()) - 1, *scale_number, *zero_number,
      [&](float low, float high, double* chosen, int64_t* zero) {
        const float step = std::fmax((high - low) / steps, least);
        *chosen = static_cast<double>(step);
        const int64_t exact = quant_min - convert<int64_t>(std::nearbyint(low / step));
        *zero = exact < quant_min ? quant_min : exact > quant_max ? quant_max : exact;
      });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
