// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with the order of elements reversed along `dims`.
Status flip(KernelContext&, const Tensor& self, IntSpan dims, Tensor& out) {
  const uint32_t mask = mask_of(dims, self.rank());
  Box from(self);
  for (size_t d = 0; d < self.rank(); ++d) {
    if (has_bit(mask, d)) {
      from.slice(d, self.size(d) - 1, -1, self.size(d));
    }
  }
  copy_from_box(self, from, out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
