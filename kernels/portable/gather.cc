// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scatter.h"

namespace cresset::kernels::portable {

// out[i][j] = self[index[i][j]][j] for dim 0, and so on.
Status gather(KernelContext& context, const Tensor& self, int64_t dim, const Tensor& index, bool,
              Tensor& out) {
  const CombineFn copy = combine_fn(Combine::kReplace, self.dtype());
  const uint8_t* const from = static_cast<const uint8_t*>(self.raw_data());
  uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data());
  return for_each_indexed(
      context, index, wrapped(dim, self.rank()), self, &out,
      [&](ptrdiff_t self_at, ptrdiff_t out_at) { copy(to + out_at, 0, from + self_at, 0, 1); });
}

}  // namespace cresset::kernels::portable
