// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/ordering.h"

namespace cresset::kernels::portable {

size_t topk_scratch(Value* const* args) {
  const Tensor& self = *args[0]->as_tensor();
  const size_t dim = wrapped(args[2]->as_int(), self.rank());
  return ordering_scratch(self.rank() == 0 ? 1 : self.size(dim));
}

// values = the k greatest or least elements along a dimension, in order whether `sorted` or not;
// indices = where they were. NaN counts as greatest.
Status topk(KernelContext& context, const Tensor& self, int64_t, int64_t dim, bool largest, bool,
            Tensor& values, Tensor& indices) {
  return order_lines(context, self, wrapped(dim, self.rank()),
                     largest ? Direction::kDescending : Direction::kAscending, values, indices);
}

}  // namespace cresset::kernels::portable
