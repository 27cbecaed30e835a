// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scatter.h"

namespace cresset::kernels::portable {

// out = self with src[i][j] added to out[index[i][j]][j] for dim 0, and so on.
Status scatter_add(KernelContext& context, const Tensor& self, int64_t dim, const Tensor& index,
                   const Tensor& src, Tensor& out) {
  copy_elements(self, out);
  return scatter_into(context, out, wrapped(dim, self.rank()), index, src, Combine::kAdd);
}

}  // namespace cresset::kernels::portable
