// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/cast.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the elements of self, in out's dim order.
Status detach_copy(KernelContext& context, const Tensor& self, Tensor& out) {
  return cast(context, self, out);
}

}  // namespace cresset::kernels::portable
