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

}  // namespace cresset::ops::infer
