// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the greatest element along the dimensions, along all where the list is empty. NaN wins.
Status amax(KernelContext& context, const Tensor& self, IntSpan dim, bool, Tensor& out) {
  return reduce_extreme(context, self, reduced_mask(dim, self.rank()), Which::kGreatest, &out,
                        nullptr);
}

}  // namespace cresset::kernels::portable
