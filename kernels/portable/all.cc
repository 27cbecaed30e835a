// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = whether all elements of self are not zero.
Status all(KernelContext& context, const Tensor& self, Tensor& out) {
  return reduce_truth(context, self, ~0u, Truth::kAll, out);
}

}  // namespace cresset::kernels::portable
