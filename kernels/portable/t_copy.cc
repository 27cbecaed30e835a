// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self transposed; self itself below rank 2.
Status t_copy(KernelContext&, const Tensor& self, Tensor& out) {
  Box from;
  for (size_t d = self.rank(); d-- > 0;) {
    from.push(self.size(d), self.stride(d));
  }
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
