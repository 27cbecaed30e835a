// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scan.h"

namespace cresset::kernels::portable {

// out = running sums of self along a dimension, in out's dtype.
Status cumsum(KernelContext& context, const Tensor& self, int64_t dim, Optional<DType>,
              Tensor& out) {
  return scan_lines(context, self, wrapped(dim, self.rank()), Scan::kSum, out);
}

}  // namespace cresset::kernels::portable
