// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert_box.h"
#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with self[start:end:step] along a dimension replaced by src.
Status slice_scatter(KernelContext& context, const Tensor& self, const Tensor& src, int64_t dim,
                     Optional<int64_t> start, Optional<int64_t>, int64_t step, Tensor& out) {
  copy_elements(self, out);
  const size_t d = wrapped(dim, self.rank());

  Box to(out);
  to.slice(d, slice_start(start, self.size(d)), step, src.size(d));
  return convert_box(context, out.dtype(), out.mutable_raw_data(), to, src.dtype(), src.raw_data(),
                     Box(src));
}

}  // namespace cresset::kernels::portable
