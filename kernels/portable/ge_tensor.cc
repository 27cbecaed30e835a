// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = whether self >= other, both converted to their common dtype.
Status ge_tensor(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  return compare(context, self, other, out, [](auto x, auto y) { return x >= y; });
}

}  // namespace cresset::kernels::portable
