// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor.h"

namespace cresset::kernels {

// Nested loops over blocks of memory that are walked together, each with its own strides in bytes.
// Dimensions are pushed from the outermost to the innermost; those of size 1 disappear and
// neighbours that every block walks as one are merged.
template <size_t kBlocks>
struct LoopNest {
  size_t rank = 0;
  int64_t sizes[kMaxRank] = {};
  ptrdiff_t strides[kMaxRank][kBlocks] = {};

  void push(int64_t size, const ptrdiff_t (&stride)[kBlocks]) {
    if (size == 1) {
      return;
    }
    bool merges = rank > 0;
    for (size_t b = 0; merges && b < kBlocks; ++b) {
      merges = strides[rank - 1][b] == stride[b] * static_cast<ptrdiff_t>(size);
    }
    const size_t at = merges ? rank - 1 : rank++;
    sizes[at] = merges ? sizes[at] * size : size;
    for (size_t b = 0; b < kBlocks; ++b) {
      strides[at][b] = stride[b];
    }
  }

  int64_t inner_size() const { return rank == 0 ? 1 : sizes[rank - 1]; }
  ptrdiff_t inner_stride(size_t block) const { return rank == 0 ? 0 : strides[rank - 1][block]; }

  // run(offsets) for every position of the loops around the innermost one: `offsets` are bytes from
  // each block's start. Not called when a size is 0.
  template <class F>
  void for_each_run(F&& run) const {
    for (size_t d = 0; d < rank; ++d) {
      if (sizes[d] == 0) {
        return;
      }
    }
    const size_t outer = rank < 2 ? 0 : rank - 1;
    int64_t at[kMaxRank] = {};
    ptrdiff_t offsets[kBlocks] = {};
    while (true) {
      run(static_cast<const ptrdiff_t*>(offsets));
      size_t d = outer;
      for (; d > 0; --d) {
        const bool again = ++at[d - 1] < sizes[d - 1];
        const ptrdiff_t steps = again ? 1 : 1 - static_cast<ptrdiff_t>(sizes[d - 1]);
        for (size_t b = 0; b < kBlocks; ++b) {
          offsets[b] += steps * strides[d - 1][b];
        }
        if (again) {
          break;
        }
        at[d - 1] = 0;
      }
      if (d == 0) {
        return;
      }
    }
  }
};

}  // namespace cresset::kernels
