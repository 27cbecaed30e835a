// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/select.h"

namespace cresset::kernels::portable {

// out = value where mask holds, else self. The mask is of bools.
Status masked_fill_scalar(KernelContext& context, const Tensor& self, const Tensor& mask,
                          Scalar value, Tensor& out) {
  if (mask.dtype() != DType::kBool) {
    return context.fail(Status::kInvalidType, "the mask is {}, expected bool", mask.dtype());
  }
  return select(context, mask, value, self, out);
}

}  // namespace cresset::kernels::portable
