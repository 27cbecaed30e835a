// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/strided_copy.h"

#include <cstring>

#include "kernels/common/dispatch.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

namespace {

struct Run {
  int64_t count;
  ptrdiff_t to_stride;
  ptrdiff_t from_stride;
};

template <class T>
void copy_run(const Run& run, uint8_t* to, const uint8_t* from) {
  for (int64_t i = 0; i < run.count; ++i) {
    std::memcpy(to, from, sizeof(T));
    to += run.to_stride;
    from += run.from_stride;
  }
}

void copy_contiguous(const Run& run, uint8_t* to, const uint8_t* from) {
  std::memcpy(to, from, static_cast<size_t>(run.count * run.to_stride));
}

using CopyFn = void (*)(const Run&, uint8_t*, const uint8_t*);

CopyFn copy_fn(const Run& run, size_t width) {
  const ptrdiff_t dense = static_cast<ptrdiff_t>(width);
  if (run.to_stride == dense && run.from_stride == dense) {
    return copy_contiguous;
  }
  return width == 1   ? copy_run<uint8_t>
         : width == 2 ? copy_run<uint16_t>
         : width == 4 ? copy_run<uint32_t>
         : width == 8 ? copy_run<uint64_t>
                      : copy_run<Bytes16>;
}

}  // namespace

void strided_copy(void* to, Span<const int64_t> to_strides, const void* from,
                  Span<const int64_t> from_strides, Span<const int64_t> sizes, size_t width) {
  // Outermost first: by falling stride of the destination, so that writes are sequential.
  size_t order[kMaxRank];
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t stride = to_strides[d] < 0 ? -to_strides[d] : to_strides[d];
    size_t at = d;
    for (; at > 0; --at) {
      const int64_t other = to_strides[order[at - 1]];
      if ((other < 0 ? -other : other) >= stride) {
        break;
      }
      order[at] = order[at - 1];
    }
    order[at] = d;
  }
  const ptrdiff_t bytes = static_cast<ptrdiff_t>(width);
  LoopNest<2> nest;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t d = order[i];
    nest.push(sizes[d], {static_cast<ptrdiff_t>(to_strides[d]) * bytes,
                         static_cast<ptrdiff_t>(from_strides[d]) * bytes});
  }
  Run run = {nest.inner_size(), nest.inner_stride(0), nest.inner_stride(1)};
  if (nest.rank == 0) {
    run.to_stride = run.from_stride = bytes;
  }
  const CopyFn copy = copy_fn(run, width);
  uint8_t* const to_bytes = static_cast<uint8_t*>(to);
  const uint8_t* const from_bytes = static_cast<const uint8_t*>(from);
  nest.for_each_run(
      [&](const ptrdiff_t* offsets) { copy(run, to_bytes + offsets[0], from_bytes + offsets[1]); });
}

void copy_box(void* to_data, const Box& to, const void* from_data, const Box& from, size_t width) {
  for (size_t d = 0; d < to.rank; ++d) {
    if (to.sizes[d] == 0) {
      return;  // perhaps without data to count an offset from
    }
  }
  const ptrdiff_t bytes = static_cast<ptrdiff_t>(width);
  strided_copy(static_cast<uint8_t*>(to_data) + static_cast<ptrdiff_t>(to.offset) * bytes,
               {to.strides, to.rank},
               static_cast<const uint8_t*>(from_data) + static_cast<ptrdiff_t>(from.offset) * bytes,
               {from.strides, from.rank}, {to.sizes, to.rank}, width);
}

void copy_elements(const Tensor& from, Tensor& to) {
  if (from.nbytes() == 0) {
    return;
  }
  if (from.same_layout(to)) {
    if (from.raw_data() != to.raw_data()) {
      std::memcpy(to.mutable_raw_data(), from.raw_data(), from.nbytes());
    }
    return;
  }
  copy_box(to.mutable_raw_data(), Box(to), from.raw_data(), Box(from), dtype_bytes(from.dtype()));
}

}  // namespace cresset::kernels
