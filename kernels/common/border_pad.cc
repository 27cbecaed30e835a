// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/border_pad.h"

#include "kernels/common/strided_copy.h"

namespace cresset::kernels {

namespace {

struct Pad {
  const Tensor& self;
  Span<const int64_t> padding;
  Border border;
  Tensor& out;

  // The place in self that shows at place `i` (before the padding: negative) of a dimension.
  int64_t source(int64_t i, int64_t size) const {
    if (border == Border::kReplicate) {
      return i < 0 ? 0 : i >= size ? size - 1 : i;
    }
    return i < 0 ? -i : i >= size ? 2 * (size - 1) - i : i;
  }

  // Fills the box, of which the dimensions behind the last `left` padded ones are settled: borders
  // slice by slice, what lies between them at once.
  void fill(size_t left, const Box& from, const Box& to) const {
    if (left == 0) {
      copy_box(out.mutable_raw_data(), to, self.raw_data(), from, dtype_bytes(self.dtype()));
      return;
    }
    const size_t dim = self.rank() - left;
    const int64_t before = padding[2 * (left - 1)];
    const int64_t size = self.size(dim);
    const int64_t out_size = out.size(dim);
    for (int64_t i = 0; i < out_size;) {
      const bool inside = i >= before && i < before + size;
      const int64_t end = before + size < out_size ? before + size : out_size;
      const int64_t count = inside ? end - i : 1;
      Box from_part = from;
      Box to_part = to;
      from_part.slice(dim, source(i - before, size), 1, count);
      to_part.slice(dim, i, 1, count);
      fill(left - 1, from_part, to_part);
      i += count;
    }
  }
};

}  // namespace

void pad_border(const Tensor& self, Span<const int64_t> padding, Border border, Tensor& out) {
  if (out.numel() > 0) {
    Pad{self, padding, border, out}.fill(padding.size() / 2, Box(self), Box(out));
  }
}

}  // namespace cresset::kernels
