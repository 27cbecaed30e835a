// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/reshape_copy.h"

namespace cresset::kernels::portable {

// out = self without those of the dimensions that have size 1.
Status squeeze_copy_dims(KernelContext&, const Tensor& self, IntSpan, Tensor& out) {
  copy_reshaped(self, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
