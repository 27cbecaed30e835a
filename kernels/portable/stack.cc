// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert_box.h"
#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the tensors as the slices of a new dimension, converted to out's dtype.
Status stack(KernelContext& context, TensorSpan tensors, int64_t dim, Tensor& out) {
  const size_t d = wrapped(dim, out.rank());
  int64_t at = 0;
  for (const Tensor* tensor : tensors) {
    CRESSET_TRY(convert_box(context, out.dtype(), out.mutable_raw_data(), select(Box(out), d, at),
                            tensor->dtype(), tensor->raw_data(), Box(*tensor)));
    ++at;
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
