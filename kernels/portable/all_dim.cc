// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = whether all elements along a dimension are not zero.
Status all_dim(KernelContext& context, const Tensor& self, int64_t dim, bool, Tensor& out) {
  return reduce_truth(context, self, 1u << wrapped(dim, self.rank()), Truth::kAll, out);
}

}  // namespace cresset::kernels::portable
