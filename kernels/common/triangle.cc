// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/triangle.h"

#include <cstring>

#include "kernels/common/loop_nest.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels {

namespace {

// A piece of a row where `width`-byte elements lie `stride` elements apart. Rows may be short and
// many, so that those of neighbours are moved here.
void copy_piece(uint8_t* to, int64_t to_stride, const uint8_t* from, int64_t from_stride,
                int64_t count, size_t width) {
  if (to_stride == 1 && from_stride == 1) {
    std::memcpy(to, from, static_cast<size_t>(count) * width);
  } else {
    strided_copy(to, {&to_stride, 1}, from, {&from_stride, 1}, {&count, 1}, width);
  }
}

void clear_piece(uint8_t* to, int64_t stride, int64_t count, size_t width) {
  if (stride == 1) {
    std::memset(to, 0, static_cast<size_t>(count) * width);
    return;
  }
  for (int64_t i = 0; i < count;
       ++i, to += static_cast<ptrdiff_t>(stride) * static_cast<ptrdiff_t>(width)) {
    std::memset(to, 0, width);
  }
}

}  // namespace

void copy_triangle(const Tensor& self, int64_t diagonal, Triangle triangle, Tensor& out) {
  if (out.numel() == 0) {
    return;
  }
  const size_t row = self.rank() - 2;
  const size_t column = self.rank() - 1;
  const int64_t rows = self.size(row);
  const int64_t columns = self.size(column);
  const size_t width = dtype_bytes(self.dtype());
  const auto bytes = [&](int64_t elements) {
    return static_cast<ptrdiff_t>(elements) * static_cast<ptrdiff_t>(width);
  };
  LoopNest<2> matrices;
  for (size_t d = 0; d < row; ++d) {
    matrices.push(self.size(d), {bytes(out.stride(d)), bytes(self.stride(d))});
  }
  const bool lower = triangle == Triangle::kLower;
  for (int64_t r = 0; r < rows; ++r) {
    // The first column behind the lower triangle, or of the upper one.
    int64_t edge = diagonal > columns ? columns : r + diagonal + (lower ? 1 : 0);
    edge = edge < 0 || diagonal < -rows ? 0 : edge > columns ? columns : edge;
    const int64_t kept = lower ? 0 : edge, kept_count = lower ? edge : columns - edge;
    const int64_t blank = lower ? edge : 0, blank_count = columns - kept_count;
    const uint8_t* const from =
        static_cast<const uint8_t*>(self.raw_data()) + bytes(r * self.stride(row));
    uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data()) + bytes(r * out.stride(row));
    matrices.for_each_run([&](const ptrdiff_t* offsets) {
      const uint8_t* in = from + offsets[1] + bytes(kept * self.stride(column));
      uint8_t* result = to + offsets[0];
      for (int64_t i = 0; i < matrices.inner_size(); ++i) {
        copy_piece(result + bytes(kept * out.stride(column)), out.stride(column), in,
                   self.stride(column), kept_count, width);
        clear_piece(result + bytes(blank * out.stride(column)), out.stride(column), blank_count,
                    width);
        in += matrices.inner_stride(1);
        result += matrices.inner_stride(0);
      }
    });
  }
}

}  // namespace cresset::kernels
