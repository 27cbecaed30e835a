// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/cast.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = value, a tensor of rank 0, in self's shape and dtype.
Status fill_tensor(KernelContext& context, const Tensor&, const Tensor& value, Tensor& out) {
  if (value.rank() != 0) {
    return context.fail(Status::kInvalidArgument, "value has shape {}, expected rank 0",
                        value.sizes());
  }
  return cast(context, value, out);
}

}  // namespace cresset::kernels::portable
