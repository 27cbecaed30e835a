// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/softmax.h"

namespace cresset::kernels::portable {

// out = log(exp(self) / sum(exp(self))) along dim. out may be the memory of self.
Status _log_softmax(KernelContext& context, const Tensor& self, int64_t dim, bool, Tensor& out) {
  return softmax(context, self, dim, true, out);
}

}  // namespace cresset::kernels::portable
