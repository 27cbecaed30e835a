// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the slice of self at one index of a dimension; a negative index counts from the end.
Status select_copy_int(KernelContext&, const Tensor& self, int64_t dim, int64_t index,
                       Tensor& out) {
  const size_t d = wrapped(dim, self.rank());
  copy_from_box(self, select(Box(self), d, index < 0 ? index + self.size(d) : index), out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
