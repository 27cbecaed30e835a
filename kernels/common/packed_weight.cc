// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/packed_weight.h"

namespace cresset::kernels {

namespace {

ptrdiff_t column_stride(const Tensor& tensor) { return tensor.rank() == 2 ? tensor.stride(1) : 0; }

}  // namespace

PackedWeight::PackedWeight(const Tensor& weight, const Tensor& scale, const Tensor* zero,
                           int64_t columns, int64_t bits, int64_t group)
    : data_(weight.data<uint8_t>()),
      scale_(scale.data<float>()),
      zero_(zero == nullptr ? nullptr : zero->data<int8_t>()),
      row_(weight.stride(0)),
      column_(weight.stride(1)),
      scale_row_(scale.stride(0)),
      scale_column_(column_stride(scale)),
      zero_row_(zero == nullptr ? 0 : zero->stride(0)),
      zero_column_(zero == nullptr ? 0 : column_stride(*zero)),
      columns_(columns),
      bits_(bits),
      group_(group) {}

void PackedWeight::load(int64_t row, int64_t first, int64_t count, int64_t group,
                        int16_t* to) const {
  const uint8_t* const bytes = data_ + row * row_;
  const int16_t zero =
      zero_ == nullptr ? int16_t{0} : zero_[row * zero_row_ + group * zero_column_];
  if (bits_ == 8) {
    for (int64_t i = 0; i < count; ++i) {
      to[i] = static_cast<int16_t>(static_cast<int8_t>(bytes[(first + i) * column_]) - zero);
    }
    return;
  }
  int64_t i = 0;
  if (bits_ == 4 && first % 2 == 0 && column_ == 1) {
    const uint8_t* pair = bytes + first / 2;
    for (; i + 1 < count; i += 2, ++pair) {
      to[i] = static_cast<int16_t>(((*pair & 15) ^ 8) - 8 - zero);
      to[i + 1] = static_cast<int16_t>(((*pair >> 4) ^ 8) - 8 - zero);
    }
  }
  const int64_t mask = (int64_t{1} << bits_) - 1, sign = int64_t{1} << (bits_ - 1);
  for (; i < count; ++i) {
    const int64_t bit = (first + i) * bits_;
    const int64_t field = bytes[bit / 8 * column_] >> (bit % 8) & mask;
    to[i] = static_cast<int16_t>((field ^ sign) - sign - zero);
  }
}

}  // namespace cresset::kernels
