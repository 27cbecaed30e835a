// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = whether a is 0.
Status prim_sym_not(KernelContext&, Scalar a, Value& out) {
  out = Value::of_bool(!a.to_bool());
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
