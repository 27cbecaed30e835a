// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/reshape_copy.h"

#include <cstring>

#include "kernels/common/strided_copy.h"

namespace cresset::kernels {

namespace {

// The box of row-major memory with the tensor's sizes.
Box row_major(const Tensor& tensor) {
  Box box(tensor);
  int64_t stride = 1;
  for (size_t d = box.rank; d-- > 0;) {
    box.strides[d] = stride;
    stride *= box.sizes[d];
  }
  return box;
}

}  // namespace

int64_t logical_offset(const Tensor& tensor, int64_t index) {
  int64_t offset = 0;
  for (size_t d = tensor.rank(); d-- > 0;) {
    offset += index % tensor.size(d) * tensor.stride(d);
    index /= tensor.size(d);
  }
  return offset;
}

void copy_reshaped(const Tensor& from, Tensor& to) {
  const size_t width = dtype_bytes(to.dtype());
  if (to.numel() == 0) {
    return;
  }
  if (from.is_contiguous() && to.is_contiguous()) {
    if (from.raw_data() != to.raw_data()) {
      std::memcpy(to.mutable_raw_data(), from.raw_data(), to.nbytes());
    }
  } else if (to.is_contiguous()) {
    copy_box(to.mutable_raw_data(), row_major(from), from.raw_data(), Box(from), width);
  } else if (from.is_contiguous()) {
    copy_box(to.mutable_raw_data(), Box(to), from.raw_data(), row_major(to), width);
  } else if (from.same_layout(to)) {
    copy_elements(from, to);
  } else {
    uint8_t* const out = static_cast<uint8_t*>(to.mutable_raw_data());
    const uint8_t* const in = static_cast<const uint8_t*>(from.raw_data());
    const int64_t count = to.numel();
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(out + static_cast<size_t>(logical_offset(to, i)) * width,
                  in + static_cast<size_t>(logical_offset(from, i)) * width, width);
    }
  }
}

}  // namespace cresset::kernels
