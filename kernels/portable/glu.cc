// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/activation.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = a * sigmoid(b), where a and b are the halves of self along dim.
Status glu(KernelContext& context, const Tensor& self, int64_t dim, Tensor& out) {
  const int64_t rank = static_cast<int64_t>(self.rank());
  const size_t at = static_cast<size_t>(dim < 0 ? dim + rank : dim);
  const Operand first(self);
  Operand second(self);
  second.offset = out.size(at) * self.stride(at);
  return binary_floating(context, first, second, out,
                         [](auto a, auto b) { return a * sigmoid_of(b); });
}

}  // namespace cresset::kernels::portable
