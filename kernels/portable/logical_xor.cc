// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self exclusive or other as truth values: whether an element is not 0.
Status logical_xor(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  return map<bool>(context, out, DType::kBool, self, DType::kBool, other,
                   [](bool x, bool y) { return x != y; });
}

}  // namespace cresset::kernels::portable
