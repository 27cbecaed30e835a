// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = `length` slices of a dimension of self from `start`.
Status narrow_copy(KernelContext&, const Tensor& self, int64_t dim, int64_t start, int64_t length,
                   Tensor& out) {
  const size_t d = wrapped(dim, self.rank());
  Box from(self);
  from.slice(d, slice_start(start, self.size(d)), 1, length);
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
