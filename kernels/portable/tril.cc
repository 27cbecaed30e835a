// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/triangle.h"

namespace cresset::kernels::portable {

// out = self with zeros where column - row > diagonal, in the last two dimensions.
Status tril(KernelContext&, const Tensor& self, int64_t diagonal, Tensor& out) {
  copy_triangle(self, diagonal, Triangle::kLower, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
