// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = copies of self side by side, repeats[k] along dimension k of out.
Status repeat(KernelContext& context, const Tensor& self, IntSpan repeats, Tensor& out) {
  Box from, to;
  const size_t added = out.rank() - self.rank();
  for (size_t d = 0; d < out.rank(); ++d) {
    const int64_t size = d < added ? 1 : self.size(d - added);
    const size_t dims = (repeats[d] != 1 ? 1u : 0u) + (size != 1 ? 1u : 0u);
    if (from.rank + dims > kMaxRank) {
      return context.fail(Status::kNotSupported, "more than {} dimensions to repeat", kMaxRank);
    }
    if (repeats[d] != 1) {
      from.push(repeats[d], 0);
      to.push(repeats[d], size * out.stride(d));
    }
    if (size != 1) {
      from.push(size, self.stride(d - added));
      to.push(size, out.stride(d));
    }
  }
  copy_box(out.mutable_raw_data(), to, self.raw_data(), from, dtype_bytes(self.dtype()));
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
