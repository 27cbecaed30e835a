// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/combine.h"
#include "kernels/common/kernel.h"
#include "kernels/common/masked.h"

namespace cresset::kernels::portable {

// out = the elements of self where the mask is true, in row-major order; self and mask broadcast.
// Sizes out.
Status masked_select(KernelContext& context, const Tensor& self, const Tensor& mask, Tensor& out) {
  MaskedPair pair;
  CRESSET_TRY(pair.broadcast(context, self, mask));
  int64_t count = 0;
  pair.for_each_true(mask, [&](ptrdiff_t) { ++count; });
  const int32_t sizes[] = {static_cast<int32_t>(count)};
  if (!ok(out.resize(sizes))) {
    return context.fail(Status::kInvalidArgument, "{} elements for an output of shape {}", count,
                        out.sizes());
  }
  const ptrdiff_t width = static_cast<ptrdiff_t>(dtype_bytes(self.dtype()));
  const CombineFn copy = combine_fn(Combine::kReplace, self.dtype());
  const uint8_t* const from = static_cast<const uint8_t*>(self.raw_data());
  uint8_t* to = static_cast<uint8_t*>(out.mutable_raw_data());
  pair.for_each_true(mask, [&](ptrdiff_t at) {
    copy(to, 0, from + at, 0, 1);
    to += width;
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
