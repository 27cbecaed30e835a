// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the mean along the dimensions, along all where there are none, in out's dtype.
Status mean_dim(KernelContext& context, const Tensor& self, Optional<IntSpan> dim, bool,
                Optional<DType>, Tensor& out) {
  const uint32_t mask = dim.has_value() ? reduced_mask(*dim, self.rank()) : ~0u;
  return reduce_sum(context, self, mask, Total::kMean, out);
}

}  // namespace cresset::kernels::portable
