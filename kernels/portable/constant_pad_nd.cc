// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/fill_box.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self with a border of `value`: `pad` holds a pair of counts (before, after) for each of the
// last dimensions, the last one first; negative counts crop.
Status constant_pad_nd(KernelContext& context, const Tensor& self, IntSpan pad, Scalar value,
                       Tensor& out) {
  const size_t width = dtype_bytes(out.dtype());
  Box from(self), to(out);
  for (size_t k = 0; k < pad.size() / 2; ++k) {
    const size_t d = self.rank() - 1 - k;
    const int64_t before = pad[2 * k];
    const int64_t first = before < 0 ? -before : 0;
    const int64_t last = before + self.size(d) < out.size(d) ? self.size(d) : out.size(d) - before;
    from.slice(d, first, 1, last > first ? last - first : 0);
    to.slice(d, first + before, 1, last > first ? last - first : 0);
  }
  Element element;
  CRESSET_TRY(encode(context, value, out.dtype(), &element));
  fill_box(out.mutable_raw_data(), Box(out), element, width);
  copy_box(out.mutable_raw_data(), to, self.raw_data(), from, width);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
