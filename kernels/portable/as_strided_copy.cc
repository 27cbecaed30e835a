// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the elements of self's memory at `stride` from element `storage_offset`. Inference has
// checked that all lie within the tensor.
Status as_strided_copy(KernelContext&, const Tensor& self, IntSpan size, IntSpan stride,
                       Optional<int64_t> storage_offset, Tensor& out) {
  Box from;
  from.offset = storage_offset.value_or(0);
  for (size_t d = 0; d < size.size(); ++d) {
    from.push(size[d], stride[d]);
  }
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
