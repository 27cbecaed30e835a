// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = the smaller of a and b.
Status prim_sym_min(KernelContext& context, Scalar a, Scalar b, Value& out) {
  return number::minimum(context, a, b, &out);
}

}  // namespace cresset::kernels::portable
