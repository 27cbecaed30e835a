// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_shape.h"

// Operators whose arguments are places in other arguments. Values of indices are data: the kernels
// check them.
namespace cresset::ops::infer {

template <class C>
Status need_index_dtype(C& c, DType dtype) {
  if (dtype != DType::kInt64 && dtype != DType::kInt32) {
    return c.fail("the index is {}, expected int64 or int32", dtype);
  }
  return Status::kOk;
}

// Adds the sizes of item (i, k) to a broadcast.
template <class C>
Status broadcast_with_item(C& c, size_t i, size_t k, Dims<typename C::Dim>* into) {
  using D = typename C::Dim;
  const size_t rank = c.item_rank(i, k);
  while (into->rank < rank) {
    for (size_t d = into->rank++; d > 0; --d) {
      (*into)[d] = (*into)[d - 1];
    }
    (*into)[0] = D(1);
  }
  for (size_t d = 0; d < rank; ++d) {
    D& have = (*into)[into->rank - rank + d];
    const D size = c.item_size(i, k, d);
    if (known_one(c, size)) {
      continue;
    }
    if (!known_one(c, have) && known_different(c, have, size)) {
      return c.fail("index sizes {} and {} do not broadcast", *C::known(have), *C::known(size));
    }
    have = known_one(c, have) || C::known(size).has_value() ? size : have;
  }
  return Status::kOk;
}

// (self, Tensor?[] indices). Masks make the size depend on data: then the kernel sizes its output.
template <class C>
Status index(C& c) {
  using D = typename C::Dim;
  const size_t count = c.list_size(1);
  Dims<D> places;
  size_t first = count, last = 0, given = 0;
  for (size_t k = 0; k < count; ++k) {
    if (!c.item_has(1, k)) {
      continue;
    }
    if (c.item_dtype(1, k) == DType::kBool || c.item_dtype(1, k) == DType::kUInt8) {
      return Status::kOk;
    }
    CRESSET_TRY(need_index_dtype(c, c.item_dtype(1, k)));
    CRESSET_TRY(broadcast_with_item(c, 1, k, &places));
    first = first == count ? k : first;
    last = k;
    ++given;
  }
  if (count > c.rank(0)) {
    return c.fail("{} indices for a tensor of rank {}", count, c.rank(0));
  }
  if (c.rank(0) - given + places.rank > kMaxRank) {
    return c.fail("the result has more than {} dimensions", kMaxRank);
  }
  const bool adjacent = given > 0 && last - first + 1 == given;
  Dims<D> out;
  const size_t insert_at = adjacent ? first : 0;
  for (size_t d = 0; d <= c.rank(0); ++d) {
    for (size_t p = 0; d == insert_at && p < places.rank; ++p) {
      out.push(places[p]);
    }
    if (d < c.rank(0) && (d >= count || !c.item_has(1, d))) {
      out.push(c.size(0, d));
    }
  }
  return c.set(0, out, c.dtype(0));
}

// (self, int dim, Tensor index)
template <class C>
Status index_select(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  CRESSET_TRY(need_index_dtype(c, c.dtype(2)));
  if (c.rank(2) > 1) {
    return c.fail("the index has rank {}, expected at most 1", c.rank(2));
  }
  Dims<typename C::Dim> out = sizes_of(c, 0);
  const typename C::Dim count = c.rank(2) == 0 ? typename C::Dim(1) : c.size(2, 0);
  if (out.rank > 0) {
    out[dim] = count;
  } else if (!known_one(c, count)) {
    return c.fail("a tensor without dimensions takes one index");
  }
  return c.set(0, out, c.dtype(0));
}

// (self, int dim, Tensor index, Tensor source, *, Scalar alpha)
template <class C>
Status index_add(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  CRESSET_TRY(need_index_dtype(c, c.dtype(2)));
  if (c.rank(2) > 1) {
    return c.fail("the index has rank {}, expected at most 1", c.rank(2));
  }
  if (c.dtype(3) != c.dtype(0)) {
    return c.fail("source is {}, expected {}", c.dtype(3), c.dtype(0));
  }
  if (c.rank(3) != c.rank(0)) {
    return c.fail("source has rank {}, expected {}", c.rank(3), c.rank(0));
  }
  const typename C::Dim count = c.rank(2) == 0 ? typename C::Dim(1) : c.size(2, 0);
  for (size_t d = 0; d < c.rank(0); ++d) {
    if (known_different(c, c.size(3, d), d == dim ? count : c.size(0, d))) {
      return c.fail("source has size {} at dimension {}", *C::known(c.size(3, d)), d);
    }
  }
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

template <class C>
bool is_empty(C& c, size_t i) {
  bool empty = false;
  for (size_t d = 0; d < c.rank(i); ++d) {
    empty = empty || C::known(c.size(i, d)).value_or(1) == 0;
  }
  return empty;
}

// The index (argument 2) is nowhere larger than argument i, except along `dim` where `along` is
// false. Ranks agree, a 0-d tensor being one of size 1.
template <class C>
Status index_fits(C& c, const char* name, size_t i, size_t dim, bool along) {
  const size_t index_rank = c.rank(2) == 0 ? 1 : c.rank(2);
  if (index_rank != (c.rank(i) == 0 ? 1 : c.rank(i))) {
    return c.fail("the index has rank {}, {} has rank {}", c.rank(2), name, c.rank(i));
  }
  for (size_t d = 0; d < c.rank(2) && d < c.rank(i); ++d) {
    const Optional<int64_t> n = C::known(c.size(2, d));
    const Optional<int64_t> limit = C::known(c.size(i, d));
    if ((d != dim || along) && n.has_value() && limit.has_value() && *n > *limit) {
      return c.fail("the index has size {} at dimension {}, {} has {}", *n, d, name, *limit);
    }
  }
  return Status::kOk;
}

// (self, int dim, Tensor index, ...)
template <class C>
Status gather(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  if (!is_empty(c, 2)) {
    CRESSET_TRY(need_index_dtype(c, c.dtype(2)));
    CRESSET_TRY(index_fits(c, "self", 0, dim, false));
  }
  return c.set(0, sizes_of(c, 2), c.dtype(0));
}

// (self, int dim, Tensor index, Scalar value)
template <class C>
Status scatter_value(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  if (!is_empty(c, 2)) {
    CRESSET_TRY(need_index_dtype(c, c.dtype(2)));
    CRESSET_TRY(index_fits(c, "self", 0, dim, false));
  }
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// (self, int dim, Tensor index, Tensor src, ...)
template <class C>
Status scatter(C& c) {
  size_t dim;
  CRESSET_TRY(scatter_value(c));
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  if (c.dtype(3) != c.dtype(0)) {
    return c.fail("src is {}, expected {}", c.dtype(3), c.dtype(0));
  }
  return is_empty(c, 2) ? Status::kOk : index_fits(c, "src", 3, dim, true);
}

// src (argument 1) has the sizes `slot` that it replaces.
template <class C>
Status src_fills(C& c, const Dims<typename C::Dim>& slot) {
  if (c.rank(1) != slot.rank) {
    return c.fail("src has rank {}, expected {}", c.rank(1), slot.rank);
  }
  for (size_t d = 0; d < slot.rank; ++d) {
    if (known_different(c, c.size(1, d), slot[d])) {
      return c.fail("src has size {} at dimension {}, expected {}", *C::known(c.size(1, d)), d,
                    *C::known(slot[d]));
    }
  }
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// (self, src, int dim, SymInt index)
template <class C>
Status select_scatter(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_real_dim(c, c.integer(2), c.rank(0), &dim));
  CRESSET_TRY(check_index(c, c.dim(3), c.size(0, dim)));
  return src_fills(c, sizes_without(c, 0, dim));
}

// (self, src, int dim, SymInt? start, SymInt? end, SymInt step)
template <class C>
Status slice_scatter(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_real_dim(c, c.integer(2), c.rank(0), &dim));
  Dims<typename C::Dim> slot = sizes_of(c, 0);
  CRESSET_TRY(slice_length(c, 3, slot[dim], &slot[dim]));
  return src_fills(c, slot);
}

// (weight, indices, ...): a row of weight for each index.
template <class C>
Status embedding(C& c) {
  if (c.rank(0) != 2) {
    return c.fail("weight has rank {}, expected 2", c.rank(0));
  }
  CRESSET_TRY(need_index_dtype(c, c.dtype(1)));
  if (c.rank(1) == kMaxRank) {
    return c.fail("the result has more than {} dimensions", kMaxRank);
  }
  Dims<typename C::Dim> out = sizes_of(c, 1);
  out.push(c.size(0, 1));
  return c.set(0, out, c.dtype(0));
}

// (self, mask, source): self and mask broadcast.
template <class C>
Status masked_scatter(C& c) {
  if (c.dtype(1) != DType::kBool) {
    return c.fail("the mask is {}, expected bool", c.dtype(1));
  }
  if (c.dtype(2) != c.dtype(0)) {
    return c.fail("source is {}, expected {}", c.dtype(2), c.dtype(0));
  }
  Dims<typename C::Dim> out;
  CRESSET_TRY(broadcast_with(c, 0, &out));
  CRESSET_TRY(broadcast_with(c, 1, &out));
  return c.set(0, out, c.dtype(0));
}

// (repeats, *, SymInt? output_size): where the sum of the repeats is told.
template <class C>
Status repeat_interleave(C& c) {
  if (c.rank(0) != 1) {
    return c.fail("repeats has rank {}, expected 1", c.rank(0));
  }
  CRESSET_TRY(need_index_dtype(c, c.dtype(0)));
  if (!c.has(1)) {
    return Status::kOk;  // the kernel sizes its output
  }
  Dims<typename C::Dim> out;
  out.push(c.dim(1));
  return c.set(0, out, c.dtype(0));
}

// (sorted_sequence, self, *, bool out_int32, bool right, str? side, Tensor? sorter)
template <class C>
Status searchsorted(C& c) {
  const size_t rank = c.rank(0);
  if (rank == 0) {
    return c.fail("the sorted sequence has no dimension");
  }
  if (rank > 1) {
    if (c.rank(1) != rank) {
      return c.fail("the sorted sequence has rank {}, self {}", rank, c.rank(1));
    }
    for (size_t d = 0; d + 1 < rank; ++d) {
      if (known_different(c, c.size(0, d), c.size(1, d))) {
        return c.fail("the sorted sequence has size {}, self {} at dimension {}",
                      *C::known(c.size(0, d)), *C::known(c.size(1, d)), d);
      }
    }
  }
  if (c.has(4)) {
    const bool left = c.is_text(4, "left");
    if (!left && !c.is_text(4, "right")) {
      return c.fail("side is neither left nor right");
    }
    if (left && c.boolean(3)) {
      return c.fail("side is left, and right is true");
    }
  }
  if (c.has(5)) {
    if (c.dtype(5) != DType::kInt64) {
      return c.fail("sorter is {}, expected int64", c.dtype(5));
    }
    bool same = c.rank(5) == rank;
    for (size_t d = 0; same && d < rank; ++d) {
      same = !known_different(c, c.size(0, d), c.size(5, d));
    }
    if (!same) {
      return c.fail("sorter has another shape than the sorted sequence");
    }
  }
  return c.set(0, sizes_of(c, 1), c.boolean(2) ? DType::kInt32 : DType::kInt64);
}

}  // namespace cresset::ops::infer
