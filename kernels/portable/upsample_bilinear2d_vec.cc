// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/resize.h"

namespace cresset::kernels::portable {

// out = input resized bilinearly to output_size, or by scale_factors.
Status upsample_bilinear2d_vec(KernelContext& context, const Tensor& input, Optional<ops::IntSpan>,
                               bool align_corners, Optional<ops::DoubleSpan> scale_factors,
                               Tensor& out) {
  return resize(context, Filter::kLinear, input, align_corners, scale_factors, out);
}

}  // namespace cresset::kernels::portable
