// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the angle of the point (other, self), in [-pi, pi].
Status atan2(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  return binary_floating(context, self, other, out,
                         [](auto y, auto x) { return std::atan2(y, x); });
}

}  // namespace cresset::kernels::portable
