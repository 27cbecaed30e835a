// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/border_pad.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with a border that mirrors the elements inside it.
Status reflection_pad2d(KernelContext&, const Tensor& self, IntSpan padding, Tensor& out) {
  pad_border(self, padding, Border::kReflect, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
