// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/select.h"

namespace cresset::kernels::portable {

// out = self where condition holds, else other.
Status where_self(KernelContext& context, const Tensor& condition, const Tensor& self,
                  const Tensor& other, Tensor& out) {
  return select(context, condition, self, other, out);
}

}  // namespace cresset::kernels::portable
