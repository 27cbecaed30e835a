// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self.size(dim).
Status sym_size_int(KernelContext& context, const Tensor& self, int64_t dim, Value& out) {
  const int64_t rank = static_cast<int64_t>(self.rank());
  if (dim < -rank || dim >= rank) {
    return context.fail(Status::kInvalidArgument, "dim {} is out of range [{}, {}]", dim, -rank,
                        rank - 1);
  }
  out = Value::of_int(self.size(static_cast<size_t>(dim < 0 ? dim + rank : dim)));
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
