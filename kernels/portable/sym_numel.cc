// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = number of elements of self.
Status sym_numel(KernelContext&, const Tensor& self, Value& out) {
  out = Value::of_int(self.numel());
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
