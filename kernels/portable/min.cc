// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the least element. NaN wins.
Status min(KernelContext& context, const Tensor& self, Tensor& out) {
  return reduce_extreme(context, self, ~0u, Which::kLeast, &out, nullptr);
}

}  // namespace cresset::kernels::portable
