// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the index of the first least element along a dimension, or in the flattened tensor. NaN
// wins.
Status argmin(KernelContext& context, const Tensor& self, Optional<int64_t> dim, bool,
              Tensor& out) {
  const uint32_t mask = dim.has_value() ? 1u << wrapped(*dim, self.rank()) : ~0u;
  return reduce_extreme(context, self, mask, Which::kLeast, nullptr, &out);
}

}  // namespace cresset::kernels::portable
