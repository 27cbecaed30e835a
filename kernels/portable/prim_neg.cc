// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = -a.
Status prim_neg(KernelContext& context, Scalar a, Value& out) {
  return number::negate(context, a, &out);
}

}  // namespace cresset::kernels::portable
