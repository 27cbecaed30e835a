// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// values = the least element along a dimension, indices = where it first occurs. NaN wins.
Status min_dim(KernelContext& context, const Tensor& self, int64_t dim, bool, Tensor& values,
               Tensor& indices) {
  return reduce_extreme(context, self, 1u << wrapped(dim, self.rank()), Which::kLeast, &values,
                        &indices);
}

}  // namespace cresset::kernels::portable
