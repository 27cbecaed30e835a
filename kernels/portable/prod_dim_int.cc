// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the product along a dimension, in out's dtype.
Status prod_dim_int(KernelContext& context, const Tensor& self, int64_t dim, bool, Optional<DType>,
                    Tensor& out) {
  return reduce_product(context, self, 1u << wrapped(dim, self.rank()), out);
}

}  // namespace cresset::kernels::portable
