// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = a rounded up, as an integer; a must fit one.
Status prim_ceil(KernelContext& context, Scalar a, Value& out) {
  return number::round_with(
      context, a, [](double x) { return std::ceil(x); }, &out);
}

}  // namespace cresset::kernels::portable
