// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor.h"

namespace cresset::kernels {

// A matrix of 8-, 4- or 2-bit integers in groups along its rows, each with a scale and maybe a zero
// point. Packed numbers are two's complement, the first in the lowest bits of a byte.
class PackedWeight {
 public:
  // `group` elements share a scale, the last group of a row may be shorter; 0: a row is one group.
  // `zero` may be null. `columns`: of the numbers.
  PackedWeight(const Tensor& weight, const Tensor& scale, const Tensor* zero, int64_t columns,
               int64_t bits, int64_t group);

  int64_t columns() const { return columns_; }
  float scale(int64_t row, int64_t group) const {
    return scale_[row * scale_row_ + group * scale_column_];
  }
  // Numbers less their zero point, in [-255, 255].
  void load(int64_t row, int64_t first, int64_t count, int64_t group, int16_t* to) const;

  // Calls f(group, first, count, last) for pieces of [0, columns), in order: each lies in one group
  // and has at most `most` numbers; `last`: it ends its group.
  template <class F>
  void for_each_piece(int64_t most, F&& f) const {
    const int64_t size = group_ == 0 ? columns_ : group_;
    for (int64_t first = 0, group = 0; first < columns_; ++group) {
      const int64_t end = columns_ - first < size ? columns_ : first + size;
      while (first < end) {
        const int64_t count = end - first < most ? end - first : most;
        f(group, first, count, first + count == end);
        first += count;
      }
    }
  }

 private:
  const uint8_t* data_;
  const float* scale_;
  const int8_t* zero_;
  ptrdiff_t row_, column_, scale_row_, scale_column_, zero_row_, zero_column_;
  int64_t columns_, bits_, group_;
};

}  // namespace cresset::kernels
