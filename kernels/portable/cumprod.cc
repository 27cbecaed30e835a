// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scan.h"

namespace cresset::kernels::portable {

// out = running products of self along a dimension, in out's dtype.
Status cumprod(KernelContext& context, const Tensor& self, int64_t dim, Optional<DType>,
               Tensor& out) {
  return scan_lines(context, self, wrapped(dim, self.rank()), Scan::kProduct, out);
}

}  // namespace cresset::kernels::portable
