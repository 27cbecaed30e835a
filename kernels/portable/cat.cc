// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert_box.h"
#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the tensors one after the other along a dimension, converted to out's dtype. Tensors of
// shape [0] add nothing.
Status cat(KernelContext& context, TensorSpan tensors, int64_t dim, Tensor& out) {
  const size_t d = wrapped(dim, out.rank());
  int64_t at = 0;
  for (const Tensor* tensor : tensors) {
    if (tensor->numel() == 0) {
      continue;
    }
    Box to(out);
    to.slice(d, at, 1, tensor->size(d));
    CRESSET_TRY(convert_box(context, out.dtype(), out.mutable_raw_data(), to, tensor->dtype(),
                            tensor->raw_data(), Box(*tensor)));
    at += tensor->size(d);
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
