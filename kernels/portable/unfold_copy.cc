// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = windows of `size` elements along a dimension of self, `step` apart: the windows are counted
// by that dimension, the elements in one by a new last dimension.
Status unfold_copy(KernelContext&, const Tensor& self, int64_t dimension, int64_t size,
                   int64_t step, Tensor& out) {
  if (out.numel() == 0) {
    return Status::kOk;
  }
  const size_t d = wrapped(dimension, self.rank());
  Box from(self);
  if (self.rank() > 0) {
    from.slice(d, 0, step, out.size(d));
  }
  from.push(size, self.rank() > 0 ? self.stride(d) : 1);
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
