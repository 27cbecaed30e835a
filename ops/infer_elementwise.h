// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer.h"

namespace cresset::ops::infer {

// Output: shape and dtype of argument 0.
template <class C>
Status same(C& c) {
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// Shape of argument 0; complex numbers become the floats that they consist of.
template <class C>
Status magnitude(C& c) {
  const DType in = c.dtype(0);
  return c.set(0, sizes_of(c, 0),
               in == DType::kComplex32    ? DType::kFloat16
               : in == DType::kComplex64  ? DType::kFloat32
               : in == DType::kComplex128 ? DType::kFloat64
                                          : in);
}

// Shape of argument 0; integers and bools become float32.
template <class C>
Status unary_float(C& c) {
  return c.set(0, sizes_of(c, 0), float_of(c.dtype(0)));
}

// Shape of argument 0; bool.
template <class C>
Status unary_bool(C& c) {
  return c.set(0, sizes_of(c, 0), DType::kBool);
}

template <class C>
Status binary_shape_and_type(C& c, Dims<typename C::Dim>* dims, DType* dtype) {
  ResultType type;
  for (size_t i = 0; i < 2; ++i) {
    CRESSET_TRY(broadcast_with(c, i, dims));
    promote_with(c, i, &type);
  }
  *dtype = type.get();
  return Status::kOk;
}

// Arguments 0 and 1 broadcast and promote.
template <class C>
Status binary(C& c) {
  Dims<typename C::Dim> dims;
  DType dtype;
  CRESSET_TRY(binary_shape_and_type(c, &dims, &dtype));
  return c.set(0, dims, dtype);
}

// As binary; integers and bools become float32.
template <class C>
Status binary_float(C& c) {
  Dims<typename C::Dim> dims;
  DType dtype;
  CRESSET_TRY(binary_shape_and_type(c, &dims, &dtype));
  return c.set(0, dims, float_of(dtype));
}

// As binary; bool.
template <class C>
Status binary_bool(C& c) {
  Dims<typename C::Dim> dims;
  DType dtype;
  CRESSET_TRY(binary_shape_and_type(c, &dims, &dtype));
  return c.set(0, dims, DType::kBool);
}

// As binary_float without a rounding mode (argument 2), as binary with one.
template <class C>
Status binary_rounded(C& c) {
  return c.has(2) ? binary(c) : binary_float(c);
}

// Arguments 0 to 2, of which the last two may be absent, broadcast and promote.
template <class C>
Status clamp(C& c) {
  Dims<typename C::Dim> dims;
  ResultType type;
  if (!c.has(1) && !c.has(2)) {
    return c.fail("neither min nor max is given");
  }
  for (size_t i = 0; i < 3; ++i) {
    if (c.has(i)) {
      CRESSET_TRY(broadcast_with(c, i, &dims));
      promote_with(c, i, &type);
    }
  }
  return c.set(0, dims, type.get());
}

// Arguments 0 to 2 broadcast, 1 and 2 promote.
template <class C>
Status where(C& c) {
  Dims<typename C::Dim> dims;
  ResultType type;
  for (size_t i = 0; i < 3; ++i) {
    CRESSET_TRY(broadcast_with(c, i, &dims));
    if (i > 0) {
      promote_with(c, i, &type);
    }
  }
  return c.set(0, dims, type.get());
}

// Arguments 0 and 1 broadcast; dtype of argument 0.
template <class C>
Status masked_fill(C& c) {
  Dims<typename C::Dim> dims;
  CRESSET_TRY(broadcast_with(c, 0, &dims));
  CRESSET_TRY(broadcast_with(c, 1, &dims));
  return c.set(0, dims, c.dtype(0));
}

// Shape and dtype of argument 0, to which argument 1 must broadcast.
template <class C>
Status copy(C& c) {
  const Dims<typename C::Dim> dims = sizes_of(c, 0);
  Dims<typename C::Dim> both = dims;
  CRESSET_TRY(broadcast_with(c, 1, &both));
  bool fits = both.rank == dims.rank;
  for (size_t d = 0; fits && d < dims.rank; ++d) {
    fits = !known_different(c, both[d], dims[d]);
  }
  if (!fits) {
    return c.fail("src does not broadcast to the shape of self");
  }
  return c.set(0, dims, c.dtype(0));
}

// Argument 0, its dimension of argument 1 halved.
template <class C>
Status glu(C& c) {
  size_t dim;
  if (c.rank(0) == 0) {
    return c.fail("self has no dimension to halve");
  }
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  Dims<typename C::Dim> dims = sizes_of(c, 0);
  const Optional<int64_t> size = C::known(dims[dim]);
  if (size.has_value() && *size % 2 != 0) {
    return c.fail("dimension {} of size {} cannot be halved", dim, *size);
  }
  dims[dim] = floor_div(dims[dim], 2);
  return c.set(0, dims, c.dtype(0));
}

}  // namespace cresset::ops::infer
