// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the one element of self.
Status _local_scalar_dense(KernelContext& context, const Tensor& self, Value& out) {
  Scalar number;
  CRESSET_TRY(read_number(context, self, &number));
  out = Value::of_scalar(number);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
