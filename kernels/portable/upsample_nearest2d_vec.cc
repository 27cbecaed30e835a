// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/resize.h"

namespace cresset::kernels::portable {

// out = input resized repeating or dropping elements to output_size, or by scale_factors.
Status upsample_nearest2d_vec(KernelContext& context, const Tensor& input, Optional<ops::IntSpan>,
                              Optional<ops::DoubleSpan> scale_factors, Tensor& out) {
  return resize(context, Filter::kNearest, input, false, scale_factors, out);
}

}  // namespace cresset::kernels::portable
