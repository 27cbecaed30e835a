// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// out = mean of each window of the last dimension; integers truncate.
Status avg_pool1d(KernelContext& context, const Tensor& self, ops::IntSpan kernel_size,
                  ops::IntSpan stride, ops::IntSpan padding, bool, bool count_include_pad,
                  Tensor& out) {
  return mean_pool(context, Pool(1, kernel_size, stride, padding, {}), 1, self, count_include_pad,
                   0, out);
}

}  // namespace cresset::kernels::portable
