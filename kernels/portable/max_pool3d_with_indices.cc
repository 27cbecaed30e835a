// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// out = maximum of each window of the last 3 dimensions; indices = its place in them, flattened.
// NaN wins.
Status max_pool3d_with_indices(KernelContext& context, const Tensor& self, ops::IntSpan kernel_size,
                               ops::IntSpan stride, ops::IntSpan padding, ops::IntSpan dilation,
                               bool, Tensor& out, Tensor& indices) {
  return max_pool(context, Pool(3, kernel_size, stride, padding, dilation), 3, self, out, &indices);
}

}  // namespace cresset::kernels::portable
