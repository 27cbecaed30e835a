// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = a as a double.
Status prim_sym_float(KernelContext&, Scalar a, Value& out) {
  out = Value::of_double(a.to_double());
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
