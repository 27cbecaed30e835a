// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the square root of a, as a double.
Status prim_sqrt(KernelContext&, Scalar a, Value& out) {
  out = Value::of_double(std::sqrt(a.to_double()));
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
