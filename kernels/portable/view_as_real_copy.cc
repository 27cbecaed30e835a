// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = real and imaginary parts of self along a new last dimension.
Status view_as_real_copy(KernelContext&, const Tensor& self, Tensor& out) {
  Box from;
  for (size_t d = 0; d < self.rank(); ++d) {
    from.push(self.size(d), 2 * self.stride(d));
  }
  from.push(2, 1);
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
