// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer.h"

// Operators whose output is the input's elements at other places: views, joins, pieces.
namespace cresset::ops::infer {

template <class C>
Optional<int64_t> known_numel(C&, const Dims<typename C::Dim>& dims) {
  int64_t count = 1;
  for (size_t d = 0; d < dims.rank; ++d) {
    const Optional<int64_t> size = C::known(dims[d]);
    if (!size.has_value()) {
      return {};
    }
    count *= *size;
  }
  return count;
}

// What input sizes leave for a size of -1: their product over that of the other output sizes.
// Sizes that are not numbers cancel where both sides have them.
template <class C>
Status inferred_size(C& c, const Dims<typename C::Dim>& in, const Dims<typename C::Dim>& out,
                     size_t unknown_at, typename C::Dim* size) {
  using D = typename C::Dim;
  bool used[kMaxRank] = {};
  int64_t divisor = 1;
  for (size_t o = 0; o < out.rank; ++o) {
    if (o == unknown_at) {
      continue;
    }
    if (C::known(out[o]).has_value()) {
      divisor *= *C::known(out[o]);
      continue;
    }
    size_t match = 0;
    while (match < in.rank && (used[match] || !(in[match] == out[o]))) {
      ++match;
    }
    if (match == in.rank) {
      return c.fail("the size of output dimension {} does not follow from the input", unknown_at);
    }
    used[match] = true;
  }
  D numel(1);
  for (size_t d = 0; d < in.rank; ++d) {
    numel = used[d] ? numel : numel * in[d];
  }
  if (divisor == 0) {
    return c.fail("a size of -1 is ambiguous beside a size of 0");
  }
  if (C::known(numel).has_value() && *C::known(numel) % divisor != 0) {
    return c.fail("{} elements do not divide into rows of {}", *C::known(numel), divisor);
  }
  *size = floor_div(numel, divisor);
  return Status::kOk;
}

// (self, SymInt[] size), one size may be -1.
template <class C>
Status view(C& c) {
  using D = typename C::Dim;
  const Dims<D> in = sizes_of(c, 0);
  Dims<D> out;
  size_t unknown_at = kMaxRank;
  if (c.list_size(1) > kMaxRank) {
    return c.fail("{} dimensions; at most {} are supported", c.list_size(1), kMaxRank);
  }
  for (size_t d = 0; d < c.list_size(1); ++d) {
    const D size = c.dim_item(1, d);
    const int64_t number = C::known(size).value_or(0);
    if (number < -1) {
      return c.fail("size {} at dimension {} is negative", number, d);
    }
    if (number == -1 && unknown_at != kMaxRank) {
      return c.fail("only one size may be -1");
    }
    unknown_at = number == -1 ? d : unknown_at;
    out.push(size);
  }
  if (unknown_at != kMaxRank) {
    CRESSET_TRY(inferred_size(c, in, out, unknown_at, &out[unknown_at]));
  }
  const Optional<int64_t> before = known_numel(c, in);
  const Optional<int64_t> after = known_numel(c, out);
  if (before.has_value() && after.has_value() && *before != *after) {
    return c.fail("{} elements do not fill a shape of {}", *before, *after);
  }
  return c.set(0, out, c.dtype(0));
}

// (self, int[] dims): output dimension k is input dimension dims[k].
template <class C>
Status permute(C& c) {
  Dims<typename C::Dim> out;
  if (c.list_size(1) != c.rank(0)) {
    return c.fail("{} dims for a tensor of rank {}", c.list_size(1), c.rank(0));
  }
  uint32_t seen = 0;
  for (size_t k = 0; k < c.rank(0); ++k) {
    size_t dim;
    CRESSET_TRY(wrap_dim(c, c.int_item(1, k), c.rank(0), &dim));
    if ((seen >> dim & 1u) != 0) {
      return c.fail("dim {} appears twice", dim);
    }
    seen |= 1u << dim;
    out.push(c.size(0, dim));
  }
  return c.set(0, out, c.dtype(0));
}

template <class C>
Status set_swapped(C& c, int64_t dim0, int64_t dim1) {
  using D = typename C::Dim;
  size_t a, b;
  CRESSET_TRY(wrap_dim(c, dim0, c.rank(0), &a));
  CRESSET_TRY(wrap_dim(c, dim1, c.rank(0), &b));
  Dims<D> out = sizes_of(c, 0);
  if (out.rank > 0) {
    const D first = out[a];
    out[a] = out[b];
    out[b] = first;
  }
  return c.set(0, out, c.dtype(0));
}

// (self, int dim0, int dim1)
template <class C>
Status transpose(C& c) {
  return set_swapped(c, c.integer(1), c.integer(2));
}

// (self), rank at most 2.
template <class C>
Status t(C& c) {
  if (c.rank(0) > 2) {
    return c.fail("self has rank {}, expected at most 2", c.rank(0));
  }
  return set_swapped(c, 0, c.rank(0) == 2 ? 1 : 0);
}

// (self, SymInt[] size): -1 keeps a size.
template <class C>
Status expand(C& c) {
  using D = typename C::Dim;
  const size_t rank = c.list_size(1);
  if (rank < c.rank(0) || rank > kMaxRank) {
    return c.fail("{} sizes for a tensor of rank {}", rank, c.rank(0));
  }
  Dims<D> out;
  const size_t added = rank - c.rank(0);
  for (size_t k = 0; k < rank; ++k) {
    const D wanted = c.dim_item(1, k);
    const int64_t number = C::known(wanted).value_or(0);
    if (number < -1 || (number == -1 && k < added)) {
      return c.fail("size {} at dimension {} is out of range", number, k);
    }
    if (k < added) {
      out.push(wanted);
      continue;
    }
    const D have = c.size(0, k - added);
    if (number != -1 && !known_one(c, have) && known_different(c, have, wanted)) {
      return c.fail("size {} at dimension {} cannot become {}", *C::known(have), k, number);
    }
    out.push(number == -1 ? have : wanted);
  }
  return c.set(0, out, c.dtype(0));
}

// The sizes of argument i without dimension `dim`.
template <class C>
Dims<typename C::Dim> sizes_without(C& c, size_t i, size_t dim) {
  Dims<typename C::Dim> out;
  for (size_t d = 0; d < c.rank(i); ++d) {
    if (d != dim) {
      out.push(c.size(i, d));
    }
  }
  return out;
}

// A dimension of a tensor that must have one.
template <class C>
Status wrap_real_dim(C& c, int64_t dim, size_t rank, size_t* wrapped) {
  if (rank == 0) {
    return c.fail("dim {} of a tensor without dimensions", dim);
  }
  return wrap_dim(c, dim, rank, wrapped);
}

// The sizes of argument 0 and the dimension that argument `at` names.
template <class C>
struct Along {
  Dims<typename C::Dim> sizes;
  size_t dim = 0;
};
template <class C>
Status read_along(C& c, size_t at, Along<C>* along) {
  along->sizes = sizes_of(c, 0);
  return wrap_real_dim(c, c.integer(at), c.rank(0), &along->dim);
}

template <class C>
Status check_index(C& c, const typename C::Dim& index, const typename C::Dim& size) {
  const Optional<int64_t> i = C::known(index);
  const Optional<int64_t> n = C::known(size);
  if (i.has_value() && n.has_value() && (*i < -*n || *i >= *n)) {
    return c.fail("index {} is out of range [{}, {}]", *i, -*n, *n - 1);
  }
  return Status::kOk;
}

// (self, int dim, SymInt index)
template <class C>
Status select(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_real_dim(c, c.integer(1), c.rank(0), &dim));
  CRESSET_TRY(check_index(c, c.dim(2), c.size(0, dim)));
  return c.set(0, sizes_without(c, 0, dim), c.dtype(0));
}

// The length of [start:end:step] over `size` elements, as Python slices. Where sizes are not
// numbers, the bounds are taken to lie within them.
template <class C>
Status slice_length(C& c, size_t start_at, const typename C::Dim& size, typename C::Dim* length) {
  using D = typename C::Dim;
  const int64_t step = C::known(c.dim(start_at + 2)).value_or(1);
  if (step <= 0) {
    return c.fail("step {} is not positive", step);
  }
  D start = c.has(start_at) ? c.dim(start_at) : D(0);
  D end = c.has(start_at + 1) ? c.dim(start_at + 1) : size;
  const Optional<int64_t> n = C::known(size);
  if (C::known(end).has_value() && *C::known(end) >= INT32_MAX) {
    end = size;
  }
  if (C::known(start).value_or(0) < 0) {
    start = n.has_value() && *C::known(start) < -*n ? D(0) : start + size;
  }
  if (C::known(end).value_or(0) < 0) {
    end = n.has_value() && *C::known(end) < -*n ? D(0) : end + size;
  }
  if (n.has_value()) {
    start = C::known(start).value_or(0) > *n ? size : start;
    end = C::known(end).value_or(0) > *n ? size : end;
  }
  const D span = end - start;
  *length = C::known(span).value_or(0) < 0 ? D(0) : floor_div(span + (step - 1), step);
  return Status::kOk;
}

// (self, int dim, SymInt? start, SymInt? end, SymInt step)
template <class C>
Status slice(C& c) {
  Along<C> along;
  CRESSET_TRY(read_along(c, 1, &along));
  auto& [out, dim] = along;
  CRESSET_TRY(slice_length(c, 2, out[dim], &out[dim]));
  return c.set(0, out, c.dtype(0));
}

// (self, int dim, SymInt start, SymInt length)
template <class C>
Status narrow(C& c) {
  Along<C> along;
  CRESSET_TRY(read_along(c, 1, &along));
  auto& [out, dim] = along;
  const Optional<int64_t> size = C::known(out[dim]);
  const Optional<int64_t> start = C::known(c.dim(2));
  const Optional<int64_t> length = C::known(c.dim(3));
  if (length.value_or(0) < 0) {
    return c.fail("length {} is negative", *length);
  }
  if (size.has_value() && start.has_value()) {
    if (*start < -*size || *start > *size) {
      return c.fail("start {} is out of range [{}, {}]", *start, -*size, *size);
    }
    const int64_t first = *start < 0 ? *start + *size : *start;
    if (length.value_or(0) > *size - first) {
      return c.fail("start {} and length {} exceed size {}", first, *length, *size);
    }
  }
  out[dim] = c.dim(3);
  return c.set(0, out, c.dtype(0));
}

// (self, SymInt split_size, int dim) -> Tensor[]
template <class C>
Status split(C& c) {
  using D = typename C::Dim;
  Along<C> along;
  CRESSET_TRY(read_along(c, 2, &along));
  auto& [out, dim] = along;
  const D size = out[dim];
  const D piece = c.dim(1);
  const size_t count = c.out_list_size(0);
  const Optional<int64_t> n = C::known(size);
  const Optional<int64_t> p = C::known(piece);
  if (p.value_or(0) < 0 || (p.value_or(1) == 0 && n.value_or(0) != 0)) {
    return c.fail("split_size {} is not positive", *p);
  }
  if (n.has_value() && p.has_value()) {
    const int64_t expected = *p == 0 || *n == 0 ? 1 : (*n + *p - 1) / *p;
    if (static_cast<int64_t>(count) != expected) {
      return c.fail("size {} splits into {} pieces, the output has {}", *n, expected, count);
    }
  }
  for (size_t k = 0; k < count; ++k) {
    out[dim] = k + 1 < count ? piece : size - piece * D(static_cast<int64_t>(count - 1));
    CRESSET_TRY(c.set_item(0, k, out, c.dtype(0)));
  }
  return Status::kOk;
}

// (self, SymInt[] split_sizes, int dim) -> Tensor[]
template <class C>
Status split_with_sizes(C& c) {
  using D = typename C::Dim;
  Along<C> along;
  CRESSET_TRY(read_along(c, 2, &along));
  auto& [out, dim] = along;
  const D size = out[dim];
  if (c.list_size(1) != c.out_list_size(0)) {
    return c.fail("{} sizes for {} output tensors", c.list_size(1), c.out_list_size(0));
  }
  D sum(0);
  for (size_t k = 0; k < c.list_size(1); ++k) {
    if (C::known(c.dim_item(1, k)).value_or(0) < 0) {
      return c.fail("split size {} is negative", *C::known(c.dim_item(1, k)));
    }
    sum = sum + c.dim_item(1, k);
  }
  if (known_different(c, sum, size)) {
    return c.fail("the split sizes add up to {}, expected {}", *C::known(sum), *C::known(size));
  }
  for (size_t k = 0; k < c.list_size(1); ++k) {
    out[dim] = c.dim_item(1, k);
    CRESSET_TRY(c.set_item(0, k, out, c.dtype(0)));
  }
  return Status::kOk;
}

// (self, int dim) -> Tensor[]
template <class C>
Status unbind(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_real_dim(c, c.integer(1), c.rank(0), &dim));
  const size_t count = c.out_list_size(0);
  const Optional<int64_t> size = C::known(c.size(0, dim));
  if (size.has_value() && *size != static_cast<int64_t>(count)) {
    return c.fail("size {} for {} output tensors", *size, count);
  }
  for (size_t k = 0; k < count; ++k) {
    CRESSET_TRY(c.set_item(0, k, sizes_without(c, 0, dim), c.dtype(0)));
  }
  return Status::kOk;
}

// Drops the dimensions of size 1 that are in `mask` (a bit each).
template <class C>
Status set_squeezed(C& c, uint32_t mask) {
  Dims<typename C::Dim> out;
  for (size_t d = 0; d < c.rank(0); ++d) {
    if ((mask >> d & 1u) == 0 || !known_one(c, c.size(0, d))) {
      out.push(c.size(0, d));
    }
  }
  return c.set(0, out, c.dtype(0));
}

// (self)
template <class C>
Status squeeze(C& c) {
  return set_squeezed(c, ~0u);
}

// (self, int dim)
template <class C>
Status squeeze_dim(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  return set_squeezed(c, 1u << dim);
}

// The dimensions in the int list `i`, a bit each; each at most once.
template <class C>
Status dim_mask(C& c, size_t i, uint32_t* mask) {
  *mask = 0;
  for (size_t k = 0; k < c.list_size(i); ++k) {
    size_t dim;
    CRESSET_TRY(wrap_dim(c, c.int_item(i, k), c.rank(0), &dim));
    if ((*mask >> dim & 1u) != 0) {
      return c.fail("dim {} appears twice", dim);
    }
    *mask |= 1u << dim;
  }
  return Status::kOk;
}

// (self, int[] dim)
template <class C>
Status squeeze_dims(C& c) {
  uint32_t mask;
  CRESSET_TRY(dim_mask(c, 1, &mask));
  return set_squeezed(c, mask);
}

// (self, int dim)
template <class C>
Status unsqueeze(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0) + 1, &dim));
  Dims<typename C::Dim> out;
  for (size_t d = 0; d <= c.rank(0); ++d) {
    out.push(d == dim ? typename C::Dim(1) : c.size(0, d < dim ? d : d - 1));
  }
  return c.set(0, out, c.dtype(0));
}

// (self, int offset, int dim1, int dim2)
template <class C>
Status diagonal(C& c) {
  using D = typename C::Dim;
  size_t a, b;
  CRESSET_TRY(wrap_real_dim(c, c.integer(2), c.rank(0), &a));
  CRESSET_TRY(wrap_real_dim(c, c.integer(3), c.rank(0), &b));
  if (a == b) {
    return c.fail("dim1 and dim2 are both {}", a);
  }
  Dims<D> out;
  for (size_t d = 0; d < c.rank(0); ++d) {
    if (d != a && d != b) {
      out.push(c.size(0, d));
    }
  }
  const int64_t offset = c.integer(1);
  const D rows = offset < 0 ? c.size(0, a) + offset : c.size(0, a);
  const D columns = offset > 0 ? c.size(0, b) - offset : c.size(0, b);
  const Optional<int64_t> r = C::known(rows);
  const Optional<int64_t> n = C::known(columns);
  if (r.has_value() && n.has_value()) {
    const int64_t shorter = *r < *n ? *r : *n;
    out.push(D(shorter < 0 ? 0 : shorter));
  } else if (c.size(0, a) == c.size(0, b)) {
    out.push(offset < 0 ? rows : columns);
  } else {
    return c.fail("the length of the diagonal does not follow from the sizes");
  }
  return c.set(0, out, c.dtype(0));
}

// (self, int dimension, int size, int step)
template <class C>
Status unfold(C& c) {
  using D = typename C::Dim;
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  Dims<D> out = sizes_of(c, 0);
  const D have = out.rank == 0 ? D(1) : out[dim];
  const int64_t size = c.integer(2);
  const int64_t step = c.integer(3);
  if (size < 0 || size > C::known(have).value_or(size)) {
    return c.fail("size {} is out of range [0, {}]", size, C::known(have).value_or(0));
  }
  if (step <= 0) {
    return c.fail("step {} is not positive", step);
  }
  if (out.rank > 0) {
    out[dim] = floor_div(have - size, step) + 1;
  }
  out.push(D(size));
  return c.set(0, out, c.dtype(0));
}

// (self, SymInt[] size, SymInt[] stride, SymInt? storage_offset)
template <class C>
Status as_strided(C& c) {
  if (c.list_size(1) != c.list_size(2)) {
    return c.fail("{} sizes and {} strides", c.list_size(1), c.list_size(2));
  }
  Dims<typename C::Dim> out;
  bool numbers = !c.has(3) || C::known(c.dim(3)).has_value();
  bool empty = false;
  int64_t last = numbers && c.has(3) ? *C::known(c.dim(3)) : 0;
  if (last < 0) {
    return c.fail("storage_offset {} is negative", last);
  }
  for (size_t d = 0; d < c.list_size(1); ++d) {
    const Optional<int64_t> size = C::known(c.dim_item(1, d));
    const Optional<int64_t> stride = C::known(c.dim_item(2, d));
    if (size.value_or(0) < 0 || stride.value_or(0) < 0) {
      return c.fail("size {} and stride {} at dimension {}", size.value_or(0), stride.value_or(0),
                    d);
    }
    numbers = numbers && size.has_value() && stride.has_value();
    empty = empty || size.value_or(1) == 0;
    if (size.value_or(0) > 1 && stride.value_or(0) > (INT32_MAX - last) / (*size - 1)) {
      return c.fail("stride {} at dimension {} is out of range", *stride, d);
    }
    last += size.value_or(0) > 0 ? (*size - 1) * stride.value_or(0) : 0;
    out.push(c.dim_item(1, d));
  }
  const Optional<int64_t> have = known_numel(c, sizes_of(c, 0));
  if (numbers && !empty && have.has_value() && last >= *have) {
    return c.fail("element {} is out of the tensor's {} elements", last, *have);
  }
  return c.set(0, out, c.dtype(0));
}

// (self): complex to pairs of floats.
template <class C>
Status view_as_real(C& c) {
  const DType in = c.dtype(0);
  if (!is_complex(in)) {
    return c.fail("self is {}, expected a complex dtype", in);
  }
  Dims<typename C::Dim> out = sizes_of(c, 0);
  out.push(typename C::Dim(2));
  return c.set(0, out,
               in == DType::kComplex64    ? DType::kFloat32
               : in == DType::kComplex128 ? DType::kFloat64
                                          : DType::kFloat16);
}

// (self): pairs of floats to complex.
template <class C>
Status view_as_complex(C& c) {
  const DType in = c.dtype(0);
  if (in != DType::kFloat32 && in != DType::kFloat64 && in != DType::kFloat16) {
    return c.fail("self is {}, expected float32, float64 or float16", in);
  }
  Dims<typename C::Dim> out = sizes_of(c, 0);
  if (out.rank == 0 || known_different(c, out[out.rank - 1], typename C::Dim(2))) {
    return c.fail("the last dimension must have size 2");
  }
  --out.rank;
  return c.set(0, out,
               in == DType::kFloat32   ? DType::kComplex64
               : in == DType::kFloat64 ? DType::kComplex128
                                       : DType::kComplex32);
}

// (Tensor[] tensors, int dim). Tensors of shape [0] take part in the dtype only.
template <class C>
Status cat(C& c) {
  using D = typename C::Dim;
  const size_t count = c.list_size(0);
  if (count == 0) {
    return c.fail("the list of tensors is empty");
  }
  ResultType type;
  Dims<D> out;
  bool found = false;
  size_t dim = 0;
  for (size_t k = 0; k < count; ++k) {
    type.add(c.item_dtype(0, k), c.item_rank(0, k));
    const size_t rank = c.item_rank(0, k);
    if (rank == 0) {
      return c.fail("tensor {} has no dimensions", k);
    }
    if (rank == 1 && C::known(c.item_size(0, k, 0)).value_or(1) == 0) {
      continue;
    }
    if (!found) {
      found = true;
      CRESSET_TRY(wrap_dim(c, c.integer(1), rank, &dim));
      for (size_t d = 0; d < rank; ++d) {
        out.push(c.item_size(0, k, d));
      }
      continue;
    }
    if (rank != out.rank) {
      return c.fail("tensor {} has rank {}, expected {}", k, rank, out.rank);
    }
    for (size_t d = 0; d < rank; ++d) {
      const D size = c.item_size(0, k, d);
      if (d == dim) {
        out[d] = out[d] + size;
      } else if (known_different(c, size, out[d])) {
        return c.fail("tensor {} has size {} at dimension {}, expected {}", k, *C::known(size), d,
                      *C::known(out[d]));
      } else if (C::known(size).has_value()) {
        out[d] = size;
      }
    }
  }
  if (!found) {
    CRESSET_TRY(wrap_dim(c, c.integer(1), 1, &dim));
    out.push(D(0));
  }
  return c.set(0, out, type.get());
}

// (Tensor[] tensors, int dim)
template <class C>
Status stack(C& c) {
  using D = typename C::Dim;
  const size_t count = c.list_size(0);
  if (count == 0) {
    return c.fail("the list of tensors is empty");
  }
  const size_t rank = c.item_rank(0, 0);
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), rank + 1, &dim));
  ResultType type;
  for (size_t k = 0; k < count; ++k) {
    type.add(c.item_dtype(0, k), c.item_rank(0, k));
    if (c.item_rank(0, k) != rank) {
      return c.fail("tensor {} has rank {}, expected {}", k, c.item_rank(0, k), rank);
    }
    for (size_t d = 0; d < rank; ++d) {
      if (known_different(c, c.item_size(0, k, d), c.item_size(0, 0, d))) {
        return c.fail("tensor {} has size {} at dimension {}, expected {}", k,
                      *C::known(c.item_size(0, k, d)), d, *C::known(c.item_size(0, 0, d)));
      }
    }
  }
  Dims<D> out;
  for (size_t d = 0; d <= rank; ++d) {
    out.push(d == dim ? D(static_cast<int64_t>(count)) : c.item_size(0, 0, d < dim ? d : d - 1));
  }
  return c.set(0, out, type.get());
}

}  // namespace cresset::ops::infer
