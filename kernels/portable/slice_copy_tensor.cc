// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self[start:end:step] along a dimension.
Status slice_copy_tensor(KernelContext&, const Tensor& self, int64_t dim, Optional<int64_t> start,
                         Optional<int64_t>, int64_t step, Tensor& out) {
  const size_t d = wrapped(dim, self.rank());
  Box from(self);
  from.slice(d, slice_start(start, self.size(d)), step, out.size(d));
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
