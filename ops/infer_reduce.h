// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_shape.h"

// Operators that reduce, scan or order along dimensions.
namespace cresset::ops::infer {

// The sizes of self without the dimensions of `mask`, which stay as size 1 where `keepdim`.
template <class C>
Dims<typename C::Dim> reduced_sizes(C& c, uint32_t mask, bool keepdim) {
  Dims<typename C::Dim> out;
  for (size_t d = 0; d < c.rank(0); ++d) {
    if ((mask >> d & 1u) == 0) {
      out.push(c.size(0, d));
    } else if (keepdim) {
      out.push(typename C::Dim(1));
    }
  }
  return out;
}

// The dimensions to reduce: those of list argument `i`, all where it is empty or None.
template <class C>
Status reduced_mask(C& c, size_t i, uint32_t* mask) {
  *mask = ~0u;
  if (!c.has(i) || c.list_size(i) == 0) {
    return Status::kOk;
  }
  return dim_mask(c, i, mask);
}

// Fails where a reduced dimension has no elements: there is no greatest of none.
template <class C>
Status need_elements(C& c, uint32_t mask) {
  for (size_t d = 0; d < c.rank(0); ++d) {
    if ((mask >> d & 1u) != 0 && C::known(c.size(0, d)).value_or(1) == 0) {
      return c.fail("dimension {} to reduce has size 0", d);
    }
  }
  return Status::kOk;
}

// The dtype of sums and products: the one asked for, or int64 for integers.
template <class C>
DType sum_dtype(C& c, size_t dtype_at) {
  const DType own = is_integral(c.dtype(0)) ? DType::kInt64 : c.dtype(0);
  return c.dtype_arg(dtype_at).value_or(own);
}

template <class C>
Status mean_dtype(C& c, size_t dtype_at, DType* dtype) {
  *dtype = c.dtype_arg(dtype_at).value_or(c.dtype(0));
  if (is_integral(*dtype)) {
    return c.fail("the dtype must be floating, got {}", *dtype);
  }
  return Status::kOk;
}

// (self, int[]? dim, bool keepdim, *, ScalarType? dtype)
template <class C>
Status sum(C& c) {
  uint32_t mask;
  CRESSET_TRY(reduced_mask(c, 1, &mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(2)), sum_dtype(c, 3));
}

// (self, *, ScalarType? dtype)
template <class C>
Status mean(C& c) {
  DType dtype;
  CRESSET_TRY(mean_dtype(c, 1, &dtype));
  return c.set(0, Dims<typename C::Dim>(), dtype);
}

// (self, int[]? dim, bool keepdim, *, ScalarType? dtype)
template <class C>
Status mean_dim(C& c) {
  uint32_t mask;
  DType dtype;
  CRESSET_TRY(mean_dtype(c, 3, &dtype));
  CRESSET_TRY(reduced_mask(c, 1, &mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(2)), dtype);
}

// (self, *, ScalarType? dtype)
template <class C>
Status prod(C& c) {
  return c.set(0, Dims<typename C::Dim>(), sum_dtype(c, 1));
}

// (self, int dim, bool keepdim, *, ScalarType? dtype)
template <class C>
Status prod_dim(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  return c.set(0, reduced_sizes(c, 1u << dim, c.boolean(2)), sum_dtype(c, 3));
}

// (self): one element of self's dtype, from at least one.
template <class C>
Status extreme(C& c) {
  CRESSET_TRY(need_elements(c, ~0u));
  return c.set(0, Dims<typename C::Dim>(), c.dtype(0));
}

// (self, int[] dim, bool keepdim)
template <class C>
Status extreme_dims(C& c) {
  uint32_t mask;
  CRESSET_TRY(reduced_mask(c, 1, &mask));
  CRESSET_TRY(need_elements(c, mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(2)), c.dtype(0));
}

// (self, int dim, bool keepdim) -> (values, indices)
template <class C>
Status extreme_dim(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  CRESSET_TRY(need_elements(c, 1u << dim));
  CRESSET_TRY(c.set(0, reduced_sizes(c, 1u << dim, c.boolean(2)), c.dtype(0)));
  return c.set(1, reduced_sizes(c, 1u << dim, c.boolean(2)), DType::kInt64);
}

// (self, int? dim, bool keepdim)
template <class C>
Status arg_extreme(C& c) {
  uint32_t mask = ~0u;
  if (c.has(1)) {
    size_t dim;
    CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
    mask = 1u << dim;
  }
  CRESSET_TRY(need_elements(c, mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(2)), DType::kInt64);
}

template <class C>
DType truth_dtype(C& c) {
  return c.dtype(0) == DType::kUInt8 ? DType::kUInt8 : DType::kBool;
}

// (self)
template <class C>
Status truth(C& c) {
  return c.set(0, Dims<typename C::Dim>(), truth_dtype(c));
}

// (self, int dim, bool keepdim)
template <class C>
Status truth_dim(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  return c.set(0, reduced_sizes(c, 1u << dim, c.boolean(2)), truth_dtype(c));
}

// (self, int[]? dim, bool keepdim): an empty list reduces nothing.
template <class C>
Status truth_dims(C& c) {
  uint32_t mask = ~0u;
  if (c.has(1)) {
    CRESSET_TRY(dim_mask(c, 1, &mask));
  }
  return c.set(0, reduced_sizes(c, mask, c.boolean(2)), truth_dtype(c));
}

template <class C>
Status need_floating(C& c) {
  if (!is_floating(c.dtype(0))) {
    return c.fail("self is {}, expected a floating dtype", c.dtype(0));
  }
  return Status::kOk;
}

// (self, int[]? dim, *, Scalar? correction, bool keepdim)
template <class C>
Status var(C& c) {
  uint32_t mask;
  CRESSET_TRY(need_floating(c));
  CRESSET_TRY(reduced_mask(c, 1, &mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(3)), c.dtype(0));
}

// As var, -> (variance, mean)
template <class C>
Status var_mean(C& c) {
  uint32_t mask;
  CRESSET_TRY(var(c));
  CRESSET_TRY(reduced_mask(c, 1, &mask));
  return c.set(1, reduced_sizes(c, mask, c.boolean(3)), c.dtype(0));
}

// (self, Scalar ord, int[]? dim, bool keepdim, *, ScalarType? dtype)
template <class C>
Status vector_norm(C& c) {
  uint32_t mask;
  CRESSET_TRY(need_floating(c));
  CRESSET_TRY(reduced_mask(c, 2, &mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(3)), c.dtype_arg(4).value_or(c.dtype(0)));
}

// (self, int[] dim, bool keepdim)
template <class C>
Status logsumexp(C& c) {
  uint32_t mask;
  CRESSET_TRY(reduced_mask(c, 1, &mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(2)), float_of(c.dtype(0)));
}

// (self, int dim, *, ScalarType? dtype)
template <class C>
Status scan(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  return c.set(0, sizes_of(c, 0), sum_dtype(c, 2));
}

// (self, int dim, bool descending) -> (values, indices)
template <class C>
Status sort(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  return c.set(1, sizes_of(c, 0), DType::kInt64);
}

// (self, SymInt k, int dim, bool largest, bool sorted) -> (values, indices)
template <class C>
Status topk(C& c) {
  using D = typename C::Dim;
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(2), c.rank(0), &dim));
  const D k = c.dim(1);
  Dims<D> out = sizes_of(c, 0);
  const Optional<int64_t> size = out.rank == 0 ? Optional<int64_t>(1) : C::known(out[dim]);
  const Optional<int64_t> count = C::known(k);
  if (count.value_or(0) < 0 || count.value_or(0) > size.value_or(INT64_MAX)) {
    return c.fail("k is {}, size {} at dimension {}", *count, size.value_or(0), dim);
  }
  if (out.rank > 0) {
    out[dim] = k;
  }
  CRESSET_TRY(c.set(0, out, c.dtype(0)));
  return c.set(1, out, DType::kInt64);
}

}  // namespace cresset::ops::infer
