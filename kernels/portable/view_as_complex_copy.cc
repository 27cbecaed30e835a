// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = complex numbers whose parts are the last dimension of self.
Status view_as_complex_copy(KernelContext&, const Tensor& self, Tensor& out) {
  Box to;
  for (size_t d = 0; d < out.rank(); ++d) {
    to.push(out.size(d), 2 * out.stride(d));
  }
  to.push(2, 1);
  copy_box(out.mutable_raw_data(), to, self.raw_data(), Box(self), dtype_bytes(self.dtype()));
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
