// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/span.h"
#include "core/tensor.h"
#include "kernels/common/combine.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

// Places of a tensor given by index tensors, one for each indexed dimension, that broadcast with
// one another: self[:, i, j]. The indexed dimensions are replaced by those of the broadcast, in
// place where they are neighbours, else in front. A mask stands for the indices of its true
// elements, in row-major order, in as many dimensions as it has.
//
// Use: keep() or at() for one dimension after the other; finish(); then copy or combine.
class Indexing {
 public:
  enum class Negative : uint8_t { kRefused, kFromEnd };

  Indexing(const Tensor& self, Negative negative) : self_(self), negative_(negative) {}

  // The next dimension is not indexed.
  void keep() { ++dim_; }
  // The next dimension is indexed by `index` (int64 or int32); or the next dimensions by a mask
  // (bool or uint8), whose indices are written to `*scratch`, which then moves on.
  Status at(KernelContext& context, const Tensor& index, int32_t** scratch);
  Status finish(KernelContext& context);

  // The result's shape.
  Span<const int32_t> sizes() const { return {sizes_, rank_}; }

  // result[...] = self[places]
  Status read(KernelContext& context, Tensor& result) const;
  // self[places] = values, or combined with them, in order; `values` broadcasts to sizes(). `self`
  // is the tensor of the constructor or one of its layout.
  Status write(KernelContext& context, Tensor& self, const Tensor& values, Combine combine) const;

  // Bytes of scratch that masks among `indices` need.
  static size_t scratch_bytes(Span<Tensor* const> indices);

 private:
  struct Index {
    const uint8_t* data;
    ptrdiff_t width;              // of an index: 4 or 8 bytes
    size_t dim;                   // of self
    ptrdiff_t strides[kMaxRank];  // over the places, from the last dimension, in bytes
    size_t rank;
    int64_t sizes[kMaxRank];  // as strides
  };

  Status add(KernelContext& context, const Index& index);
  template <class F>
  Status for_each_place(KernelContext& context, const ptrdiff_t* other_strides, F&& f) const;
  void strides_of(const Tensor& other, ptrdiff_t* strides) const;
  LoopNest<2> kept(const ptrdiff_t* other_strides) const;

  const Tensor& self_;
  const Negative negative_;
  size_t dim_ = 0;
  size_t count_ = 0;
  Index indices_[kMaxRank];
  size_t place_rank_ = 0;
  int64_t places_[kMaxRank] = {};  // sizes, from the last dimension
  size_t first_place_ = 0;         // dimension of the result where the places begin
  size_t rank_ = 0;
  int32_t sizes_[kMaxRank] = {};
};

// Adds the items of an index list, of which absent ones keep a dimension, with scratch for masks,
// and finishes.
Status add_indices(KernelContext& context, Span<Tensor* const> indices, Indexing* places);
// Indexes dimension `dim` alone, by a tensor that is no mask, and finishes.
Status add_index_of(KernelContext& context, size_t dim, const Tensor& index, Indexing* places);

}  // namespace cresset::kernels
