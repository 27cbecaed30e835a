// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = whether self is 0.
Status logical_not(KernelContext& context, const Tensor& self, Tensor& out) {
  return map<bool>(context, out, DType::kBool, self, [](bool x) { return !x; });
}

}  // namespace cresset::kernels::portable
