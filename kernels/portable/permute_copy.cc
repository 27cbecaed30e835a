// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with dimension dims[k] as dimension k.
Status permute_copy(KernelContext&, const Tensor& self, IntSpan dims, Tensor& out) {
  Box from;
  for (const int64_t dim : dims) {
    const size_t d = wrapped(dim, self.rank());
    from.push(self.size(d), self.stride(d));
  }
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
