// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = whether self is infinite; never true of integers.
Status isinf(KernelContext& context, const Tensor& self, Tensor& out) {
  if (is_integral(self.dtype())) {
    return fill(context, out, Scalar::of_bool(false));
  }
  return dispatch_compute_floating(context, self.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    return map<C, bool>(context, out, kDTypeOf<C>, self, [](C x) { return std::isinf(x); });
  });
}

}  // namespace cresset::kernels::portable
