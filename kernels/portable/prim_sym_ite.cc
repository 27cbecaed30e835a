// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = a where condition holds, else b.
Status prim_sym_ite(KernelContext&, Scalar condition, Scalar a, Scalar b, Value& out) {
  out = Value::of_scalar(condition.to_bool() ? a : b);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
