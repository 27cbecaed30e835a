// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = what is left of self divided by other and rounded down: of other's sign, as in Python. 0 as
// a divisor of integers is an error.
Status remainder_tensor(KernelContext& context, const Tensor& self, const Tensor& other,
                        Tensor& out) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    ZeroDivisor zero;
    const Status status = map<C>(context, out, out.dtype(), self, out.dtype(), other,
                                 [&zero](C x, C y) { return rest_floor(x, zero.check(y)); });
    return zero.finish(context, status);
  });
}

}  // namespace cresset::kernels::portable
