// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/span.h"
#include "core/tensor.h"

namespace cresset::kernels {

// Moves the elements of a box between two stridings of it.
//
// `sizes` are the box's (rank at most kMaxRank; one element at rank 0, none where a size is 0);
// `to` and `from` point at its first element; strides are in elements, may be zero (in `from`, to
// repeat) and negative, and have the rank of `sizes`. `width` is bytes of an element: 1, 2, 4, 8 or
// 16. The two must not overlap. Walks in the order of `to`; neighbours that both walk as one are
// moved as one, contiguous runs by memcpy.
void strided_copy(void* to, Span<const int64_t> to_strides, const void* from,
                  Span<const int64_t> from_strides, Span<const int64_t> sizes, size_t width);

// `to` = the elements of `from`: equal shapes and dtypes, any dim orders. The same memory with the
// same layout is allowed and left alone.
void copy_elements(const Tensor& from, Tensor& to);

// A view under construction, for kernels that copy a piece of a tensor: sizes and strides in
// elements, and where the first element lies.
struct Box {
  int64_t sizes[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};
  size_t rank = 0;
  int64_t offset = 0;  // elements from the tensor's data

  Box() = default;
  explicit Box(const Tensor& tensor) : rank(tensor.rank()) {
    for (size_t d = 0; d < rank; ++d) {
      sizes[d] = tensor.size(d);
      strides[d] = tensor.stride(d);
    }
  }
  void push(int64_t size, int64_t stride) {
    sizes[rank] = size;
    strides[rank++] = stride;
  }
  // Keeps elements first, first + step, ... of a dimension (`count` of them; step may be negative).
  void slice(size_t dim, int64_t first, int64_t step, int64_t count) {
    offset += first * strides[dim];
    strides[dim] *= step;
    sizes[dim] = count;
  }
};

// Element by element, `to` = `from`: boxes of equal sizes in tensors' data of `width`-byte
// elements.
void copy_box(void* to_data, const Box& to, const void* from_data, const Box& from, size_t width);

}  // namespace cresset::kernels
