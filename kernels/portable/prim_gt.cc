// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = whether a > b.
Status prim_gt(KernelContext&, Scalar a, Scalar b, Value& out) {
  out = Value::of_bool(number::order(a, b).greater);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
