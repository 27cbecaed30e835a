// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/triangle.h"

#include "kernels/common/fill_box.h"

namespace cresset::kernels {

void copy_triangle(const Tensor& self, int64_t diagonal, Triangle triangle, Tensor& out) {
  if (out.numel() == 0) {
    return;
  }
  const size_t row = self.rank() - 2;
  const size_t column = self.rank() - 1;
  const int64_t rows = self.size(row);
  const int64_t columns = self.size(column);
  const size_t width = dtype_bytes(self.dtype());
  const bool lower = triangle == Triangle::kLower;
  for (int64_t r = 0; r < rows; ++r) {
    // The first column behind the lower triangle, or of the upper one.
    int64_t edge = diagonal > columns ? columns : r + diagonal + (lower ? 1 : 0);
    edge = edge < 0 || diagonal < -rows ? 0 : edge > columns ? columns : edge;
    Box from(self), kept(out), blank(out);
    kept.slice(row, r, 1, 1);
    blank.slice(row, r, 1, 1);
    from.slice(row, r, 1, 1);
    from.slice(column, lower ? 0 : edge, 1, lower ? edge : columns - edge);
    kept.slice(column, lower ? 0 : edge, 1, lower ? edge : columns - edge);
    blank.slice(column, lower ? edge : 0, 1, lower ? columns - edge : edge);
    copy_box(out.mutable_raw_data(), kept, self.raw_data(), from, width);
    fill_box(out.mutable_raw_data(), blank, Element(), width);
  }
}

}  // namespace cresset::kernels
