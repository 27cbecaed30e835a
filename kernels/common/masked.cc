// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/masked.h"

namespace cresset::kernels {

Status MaskedPair::broadcast(KernelContext& context, const Tensor& tensor, const Tensor& mask) {
  if (mask.dtype() != DType::kBool) {
    return context.fail(Status::kInvalidType, "the mask is {}, expected bool", mask.dtype());
  }
  const size_t rank = tensor.rank() > mask.rank() ? tensor.rank() : mask.rank();
  const ptrdiff_t width = static_cast<ptrdiff_t>(dtype_bytes(tensor.dtype()));
  for (size_t k = rank; k-- > 0;) {  // counts from the last dimension
    const size_t t = tensor.rank() - 1 - k;
    const size_t m = mask.rank() - 1 - k;
    const int64_t size = k < tensor.rank() ? tensor.size(t) : 1;
    const int64_t mask_size = k < mask.rank() ? mask.size(m) : 1;
    if (size != mask_size && size != 1 && mask_size != 1) {
      return context.fail(Status::kInvalidArgument, "shapes {} and {} do not broadcast",
                          tensor.sizes(), mask.sizes());
    }
    nest_.push(size == 1 ? mask_size : size,
               {size == 1 ? 0 : static_cast<ptrdiff_t>(tensor.stride(t)) * width,
                mask_size == 1 ? 0 : static_cast<ptrdiff_t>(mask.stride(m))});
  }
  return Status::kOk;
}

}  // namespace cresset::kernels
