// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pixel_boxes.h"

namespace cresset::kernels::portable {

// out[.., (c * r + i) * r + j, h, w] = self[.., c, h * r + i, w * r + j].
Status pixel_unshuffle(KernelContext& context, const Tensor& self, int64_t downscale_factor,
                       Tensor& out) {
  Box fine_box, deep_box;
  CRESSET_TRY(pixel_boxes(context, self, out, downscale_factor, &fine_box, &deep_box));
  copy_box(out.mutable_raw_data(), deep_box, self.raw_data(), fine_box, dtype_bytes(self.dtype()));
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
