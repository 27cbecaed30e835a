// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/reshape_copy.h"

namespace cresset::kernels::portable {

// out = self without one dimension, if it has size 1.
Status squeeze_copy_dim(KernelContext&, const Tensor& self, int64_t, Tensor& out) {
  copy_reshaped(self, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
