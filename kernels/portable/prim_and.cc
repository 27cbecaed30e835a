// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/number.h"

namespace cresset::kernels::portable {

// out = a and b: of bools their conjunction, of integers bit by bit.
Status prim_and(KernelContext&, Scalar a, Scalar b, Value& out) {
  out = number::is_bools(a, b) ? Value::of_bool(a.to_bool() && b.to_bool())
                               : Value::of_int(a.to_int() & b.to_int());
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
