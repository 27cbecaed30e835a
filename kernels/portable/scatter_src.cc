// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scatter.h"

namespace cresset::kernels::portable {

// out = self with out[index[i][j]][j] = src[i][j] for dim 0, and so on; where places repeat the
// last one counts.
Status scatter_src(KernelContext& context, const Tensor& self, int64_t dim, const Tensor& index,
                   const Tensor& src, Tensor& out) {
  copy_elements(self, out);
  return scatter_into(context, out, wrapped(dim, self.rank()), index, src, Combine::kReplace);
}

}  // namespace cresset::kernels::portable
