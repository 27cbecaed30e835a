// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// out = maximum of each of output_size windows that divide the last 2 dimensions evenly; indices =
// its place in them, flattened. NaN wins.
Status adaptive_max_pool2d(KernelContext& context, const Tensor& self, ops::IntSpan, Tensor& out,
                           Tensor& indices) {
  return max_pool(context, Pool(), 2, self, out, &indices);
}

}  // namespace cresset::kernels::portable
