// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/combine.h"
#include "kernels/common/kernel.h"
#include "kernels/common/masked.h"
#include "kernels/common/reshape_copy.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels::portable {

// out = self, broadcast, with the elements where the mask is true replaced by those of source, one
// after the other in row-major order.
Status masked_scatter(KernelContext& context, const Tensor& self, const Tensor& mask,
                      const Tensor& source, Tensor& out) {
  Box from(out);
  for (size_t k = 0; k < out.rank(); ++k) {
    const bool there = k < self.rank() && self.size(self.rank() - 1 - k) != 1;
    from.strides[out.rank() - 1 - k] = there ? self.stride(self.rank() - 1 - k) : 0;
  }
  copy_box(out.mutable_raw_data(), Box(out), self.raw_data(), from, dtype_bytes(self.dtype()));
  MaskedPair pair;
  CRESSET_TRY(pair.broadcast(context, out, mask));
  const size_t width = dtype_bytes(self.dtype());
  const int64_t available = source.numel();
  const bool dense = source.is_contiguous();
  const uint8_t* const values = static_cast<const uint8_t*>(source.raw_data());
  uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data());
  const CombineFn copy = combine_fn(Combine::kReplace, self.dtype());
  int64_t used = 0;
  pair.for_each_true(mask, [&](ptrdiff_t at) {
    if (used < available) {
      const int64_t place = dense ? used : logical_offset(source, used);
      copy(to + at, 0, values + static_cast<size_t>(place) * width, 0, 1);
    }
    ++used;
  });
  if (used > available) {
    return context.fail(Status::kInvalidArgument, "{} elements to replace, source has {}", used,
                        available);
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
