// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/reshape_copy.h"

namespace cresset::kernels::portable {

// out = self with one more dimension, of size 1.
Status unsqueeze_copy(KernelContext&, const Tensor& self, int64_t, Tensor& out) {
  copy_reshaped(self, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
