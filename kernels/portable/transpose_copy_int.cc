// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with two dimensions swapped.
Status transpose_copy_int(KernelContext&, const Tensor& self, int64_t dim0, int64_t dim1,
                          Tensor& out) {
  Box from(self);
  if (from.rank > 0) {
    const size_t a = wrapped(dim0, self.rank());
    const size_t b = wrapped(dim1, self.rank());
    from.sizes[a] = self.size(b);
    from.strides[a] = self.stride(b);
    from.sizes[b] = self.size(a);
    from.strides[b] = self.stride(a);
  }
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
