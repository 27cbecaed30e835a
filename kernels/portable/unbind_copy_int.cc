// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the slices of a dimension of self.
Status unbind_copy_int(KernelContext&, const Tensor& self, int64_t dim, TensorSpan out) {
  int64_t index = 0;
  for (Tensor* piece : out) {
    copy_from_box(self, select(Box(self), wrapped(dim, self.rank()), index++), *piece);
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
