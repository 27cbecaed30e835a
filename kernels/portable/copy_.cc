// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/cast.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// self = src, broadcast to its shape and converted to its dtype.
Status copy_(KernelContext& context, Tensor& self, const Tensor& src, bool) {
  bool fits = src.rank() <= self.rank();
  for (size_t d = 0; fits && d < src.rank(); ++d) {
    fits = src.size(d) == 1 || src.size(d) == self.size(self.rank() - src.rank() + d);
  }
  if (!fits) {
    return context.fail(Status::kInvalidArgument, "src of shape {} does not broadcast to {}",
                        src.sizes(), self.sizes());
  }
  return cast(context, src, self);
}

}  // namespace cresset::kernels::portable
