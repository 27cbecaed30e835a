// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert_box.h"
#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with the slice at one index of a dimension replaced by src.
Status select_scatter(KernelContext& context, const Tensor& self, const Tensor& src, int64_t dim,
                      int64_t index, Tensor& out) {
  copy_elements(self, out);
  const size_t d = wrapped(dim, self.rank());

  return convert_box(context, out.dtype(), out.mutable_raw_data(),
                     select(Box(out), d, index < 0 ? index + self.size(d) : index), src.dtype(),
                     src.raw_data(), Box(src));
}

}  // namespace cresset::kernels::portable
