// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// out = mean of each of output_size windows that divide the last 2 dimensions evenly.
Status _adaptive_avg_pool2d(KernelContext& context, const Tensor& self, ops::IntSpan, Tensor& out) {
  return mean_pool(context, Pool(), 2, self, false, 0, out);
}

}  // namespace cresset::kernels::portable
