// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the product of all elements, in out's dtype.
Status prod(KernelContext& context, const Tensor& self, Optional<DType>, Tensor& out) {
  return reduce_product(context, self, ~0u, out);
}

}  // namespace cresset::kernels::portable
