// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the mean of all elements, in out's dtype.
Status mean(KernelContext& context, const Tensor& self, Optional<DType>, Tensor& out) {
  return reduce_sum(context, self, ~0u, Total::kMean, out);
}

}  // namespace cresset::kernels::portable
