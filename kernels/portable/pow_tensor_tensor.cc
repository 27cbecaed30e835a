// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self to the power of exponent. Integers wrap; to a negative exponent they are 0 unless they
// are 1 or -1.
Status pow_tensor_tensor(KernelContext& context, const Tensor& self, const Tensor& exponent,
                         Tensor& out) {
  return binary(context, self, exponent, out, [](auto x, auto y) { return power(x, y); });
}

}  // namespace cresset::kernels::portable
