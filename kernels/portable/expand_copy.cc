// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with dimensions of size 1, and new ones in front, repeated to the sizes of out.
Status expand_copy(KernelContext&, const Tensor& self, IntSpan, bool, Tensor& out) {
  Box from;
  const size_t added = out.rank() - self.rank();
  for (size_t d = 0; d < out.rank(); ++d) {
    const bool repeats = d < added || self.size(d - added) == 1;
    from.push(out.size(d), repeats ? 0 : self.stride(d - added));
  }
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
