// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/copy_elements.h"

#include <cstring>

namespace cresset {

void copy_elements(const Tensor& source, Tensor& out) {
  const uint8_t* from = static_cast<const uint8_t*>(source.raw_data());
  uint8_t* to = static_cast<uint8_t*>(out.mutable_raw_data());
  const size_t item = dtype_bytes(source.dtype());
  const int64_t count = source.numel();
  if (count == 0 || from == to) {
    return;
  }
  if (source.same_layout(out)) {
    std::memmove(to, from, static_cast<size_t>(count) * item);
    return;
  }
  int32_t index[kMaxRank] = {};
  for (int64_t i = 0; i < count; ++i) {
    int64_t from_at = 0;
    int64_t to_at = 0;
    for (size_t d = 0; d < source.rank(); ++d) {
      from_at += index[d] * source.stride(d);
      to_at += index[d] * out.stride(d);
    }
    std::memcpy(to + static_cast<size_t>(to_at) * item, from + static_cast<size_t>(from_at) * item,
                item);
    for (size_t d = source.rank(); d-- > 0;) {
      if (++index[d] < source.size(d)) {
        break;
      }
      index[d] = 0;
    }
  }
}

}  // namespace cresset
