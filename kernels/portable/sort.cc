// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/ordering.h"

namespace cresset::kernels::portable {

size_t sort_scratch(Value* const* args) {
  const Tensor& self = *args[0]->as_tensor();
  const size_t dim = wrapped(args[1]->as_int(), self.rank());
  return ordering_scratch(self.rank() == 0 ? 1 : self.size(dim));
}

// values = self sorted along a dimension, stably, NaN last (first where descending); indices =
// where the values were.
Status sort(KernelContext& context, const Tensor& self, int64_t dim, bool descending,
            Tensor& values, Tensor& indices) {
  return order_lines(context, self, wrapped(dim, self.rank()),
                     descending ? Direction::kDescending : Direction::kAscending, values, indices);
}

}  // namespace cresset::kernels::portable
