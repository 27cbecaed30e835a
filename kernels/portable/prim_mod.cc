// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = what is left of a after a // b, of b's sign; b must not be 0.
Status prim_mod(KernelContext& context, Scalar a, Scalar b, Value& out) {
  return number::modulo(context, a, b, &out);
}

}  // namespace cresset::kernels::portable
