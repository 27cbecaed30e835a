// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "kernels/common/dims.h"

namespace cresset::kernels {

// How pixel_shuffle and its inverse pair elements: fine[.., c, h * r + i, w * r + j] with
// deep[.., (c * r + i) * r + j, h, w]. Gives the same box of elements in both tensors. Ranks are
// equal, from 3 to kMaxRank - 2; kNotSupported above that.
Status pixel_boxes(KernelContext& context, const Tensor& fine, const Tensor& deep, int64_t r,
                   Box* fine_box, Box* deep_box);

}  // namespace cresset::kernels
