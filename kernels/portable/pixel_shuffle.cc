// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pixel_boxes.h"

namespace cresset::kernels::portable {

// out[.., c, h * r + i, w * r + j] = self[.., (c * r + i) * r + j, h, w].
Status pixel_shuffle(KernelContext& context, const Tensor& self, int64_t upscale_factor,
                     Tensor& out) {
  Box fine_box, deep_box;
  CRESSET_TRY(pixel_boxes(context, out, self, upscale_factor, &fine_box, &deep_box));
  copy_box(out.mutable_raw_data(), fine_box, self.raw_data(), deep_box, dtype_bytes(self.dtype()));
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
