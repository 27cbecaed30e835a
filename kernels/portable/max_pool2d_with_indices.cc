// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// out = maximum of each window of the last 2 dimensions; indices = its place in them, flattened.
// NaN wins.
Status max_pool2d_with_indices(KernelContext& context, const Tensor& self, ops::IntSpan kernel_size,
                               ops::IntSpan stride, ops::IntSpan padding, ops::IntSpan dilation,
                               bool, Tensor& out, Tensor& indices) {
  return max_pool(context, Pool(2, kernel_size, stride, padding, dilation), 2, self, out, &indices);
}

}  // namespace cresset::kernels::portable
