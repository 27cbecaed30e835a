// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// out = mean of each window of the last 2 dimensions; integers truncate.
Status avg_pool2d(KernelContext& context, const Tensor& self, ops::IntSpan kernel_size,
                  ops::IntSpan stride, ops::IntSpan padding, bool, bool count_include_pad,
                  Optional<int64_t> divisor_override, Tensor& out) {
  return mean_pool(context, Pool(2, kernel_size, stride, padding, {}), 2, self, count_include_pad,
                   divisor_override.value_or(0), out);
}

}  // namespace cresset::kernels::portable
