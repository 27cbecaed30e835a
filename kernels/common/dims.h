// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/optional.h"
#include "core/span.h"
#include "kernels/common/strided_copy.h"

// What kernels do with dimension arguments that inference has checked.
namespace cresset::kernels {

// A dimension in [-rank, rank) made non-negative; 0 where the tensor has none.
inline size_t wrapped(int64_t dim, size_t rank) {
  return rank == 0 ? 0 : static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(rank) : dim);
}

// The dimensions, a bit each.
inline uint32_t mask_of(Span<const int64_t> dims, size_t rank) {
  uint32_t mask = 0;
  for (const int64_t dim : dims) {
    mask |= 1u << wrapped(dim, rank);
  }
  return mask;
}
// As mask_of; all dimensions where the list is empty.
inline uint32_t reduced_mask(Span<const int64_t> dims, size_t rank) {
  return dims.empty() ? ~0u : mask_of(dims, rank);
}
inline bool has_bit(uint32_t mask, size_t dim) { return (mask >> dim & 1u) != 0; }

// The first element of a slice, as Python counts: negative from the end, then cut to [0, size].
inline int64_t slice_start(Optional<int64_t> start, int64_t size) {
  const int64_t first = start.value_or(0) < 0 ? start.value_or(0) + size : start.value_or(0);
  return first < 0 ? 0 : first > size ? size : first;
}

// The box without dimension `dim`, at its index `index`.
inline Box select(const Box& box, size_t dim, int64_t index) {
  Box rest;
  rest.offset = box.offset + index * box.strides[dim];
  for (size_t d = 0; d < box.rank; ++d) {
    if (d != dim) {
      rest.push(box.sizes[d], box.strides[d]);
    }
  }
  return rest;
}

// `to` = the elements of the box `from` in the memory of `source`. The box has the sizes of `to`.
inline void copy_from_box(const Tensor& source, const Box& from, Tensor& to) {
  copy_box(to.mutable_raw_data(), Box(to), source.raw_data(), from, dtype_bytes(to.dtype()));
}

}  // namespace cresset::kernels
