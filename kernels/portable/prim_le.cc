// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = whether a <= b.
Status prim_le(KernelContext&, Scalar a, Scalar b, Value& out) {
  const number::Order o = number::order(a, b);
  out = Value::of_bool(o.less || o.equal);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
