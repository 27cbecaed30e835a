// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = a + b; integers wrap.
Status prim_add(KernelContext& context, Scalar a, Scalar b, Value& out) {
  return number::add(context, a, b, &out);
}

}  // namespace cresset::kernels::portable
