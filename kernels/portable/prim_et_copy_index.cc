// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels::portable {

// self[index] = piece, where self has one dimension more than piece. Where index lies behind the
// end of self, self grows to index + 1 within its memory.
Status prim_et_copy_index(KernelContext& context, Tensor& self, const Tensor& piece,
                          int64_t index) {
  const int64_t rank = static_cast<int64_t>(piece.rank());
  if (self.rank() != piece.rank() + 1 || self.dtype() != piece.dtype() || index < 0 ||
      index >= INT32_MAX) {
    return context.fail(Status::kInvalidArgument,
                        "index {} of self {} {} cannot take a piece of {} {}", index, self.dtype(),
                        self.sizes(), piece.dtype(), piece.sizes());
  }
  int32_t sizes[kMaxRank];
  sizes[0] = static_cast<int32_t>(index >= self.size(0) ? index + 1 : self.size(0));
  for (int64_t d = 0; d < rank; ++d) {
    sizes[d + 1] = static_cast<int32_t>(piece.size(static_cast<size_t>(d)));
  }
  if (!ok(self.resize({sizes, self.rank()}))) {
    return context.fail(Status::kInvalidArgument, "self of shape {} cannot take index {} of {}",
                        self.sizes(), index, piece.sizes());
  }
  Box row(self);
  row.slice(0, index, 1, 1);
  Box from;
  from.push(1, 0);
  for (size_t d = 0; d < piece.rank(); ++d) {
    from.push(piece.size(d), piece.stride(d));
  }
  copy_box(self.mutable_raw_data(), row, piece.raw_data(), from, dtype_bytes(self.dtype()));
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
