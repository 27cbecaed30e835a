// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// out = maximum of each window of the last 2 dimensions; NaN wins. A kernel of its own because the
// indices that max_pool2d_with_indices writes take twice the memory of the result.
Status max_pool2d(KernelContext& context, const Tensor& self, IntSpan kernel_size, IntSpan stride,
                  IntSpan padding, IntSpan dilation, bool, Tensor& out) {
  return max_pool(context, Pool(2, kernel_size, stride, padding, dilation), 2, self, out, nullptr);
}

}  // namespace cresset::kernels::portable
