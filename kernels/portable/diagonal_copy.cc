// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the elements of self whose index in dim2 is that in dim1 plus `offset`, along a last
// dimension in place of the two.
Status diagonal_copy(KernelContext&, const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2,
                     Tensor& out) {
  const size_t a = wrapped(dim1, self.rank());
  const size_t b = wrapped(dim2, self.rank());
  if (out.numel() == 0) {
    return Status::kOk;
  }
  Box from;
  for (size_t d = 0; d < self.rank(); ++d) {
    if (d != a && d != b) {
      from.push(self.size(d), self.stride(d));
    }
  }
  from.offset = offset < 0 ? -offset * self.stride(a) : offset * self.stride(b);
  from.push(out.size(out.rank() - 1), self.stride(a) + self.stride(b));
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
