// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = pieces of `split_size` along a dimension of self, the last one with what is left.
Status split_copy_tensor(KernelContext&, const Tensor& self, int64_t, int64_t dim, TensorSpan out) {
  const size_t d = wrapped(dim, self.rank());
  int64_t at = 0;
  for (Tensor* piece : out) {
    Box from(self);
    from.slice(d, at, 1, piece->size(d));
    copy_from_box(self, from, *piece);
    at += piece->size(d);
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
