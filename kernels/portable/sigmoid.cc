// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/activation.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = 1 / (1 + exp(-self)).
Status sigmoid(KernelContext& context, const Tensor& self, Tensor& out) {
  return unary_floating(context, self, out, [](auto x) { return sigmoid_of(x); });
}

}  // namespace cresset::kernels::portable
