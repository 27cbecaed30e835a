// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/complex_elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self * other.
Status mul_tensor(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  if (is_complex(out.dtype())) {
    return complex_multiply(context, self, other, out);
  }
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    return map<C>(context, out, unrounded(self, out.dtype()), self, unrounded(other, out.dtype()),
                  other, [](C x, C y) { return times(x, y); });
  });
}

}  // namespace cresset::kernels::portable
