// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/select.h"

namespace cresset::kernels::portable {

// out = value, a tensor of rank 0, where mask holds, else self. The mask is of bools.
Status masked_fill_tensor(KernelContext& context, const Tensor& self, const Tensor& mask,
                          const Tensor& value, Tensor& out) {
  if (value.rank() != 0) {
    return context.fail(Status::kInvalidArgument, "value has shape {}, expected rank 0",
                        value.sizes());
  }
  if (mask.dtype() != DType::kBool) {
    return context.fail(Status::kInvalidType, "the mask is {}, expected bool", mask.dtype());
  }
  return select(context, mask, value, self, out);
}

}  // namespace cresset::kernels::portable
