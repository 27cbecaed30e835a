// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>

#include "ops/infer.h"

// Rules of operators that make tensors from numbers.
namespace cresset::ops::infer {

// Output: the sizes in list argument 0; the tensor option dtype, else `otherwise`.
template <class C>
Status sized(C& c, DType otherwise) {
  Dims<typename C::Dim> dims;
  if (c.list_size(0) > kMaxRank) {
    return c.fail("{} dimensions are wanted, at most {} are possible", c.list_size(0), kMaxRank);
  }
  for (size_t k = 0; k < c.list_size(0); ++k) {
    const typename C::Dim dim = c.dim_item(0, k);
    if (C::known(dim).value_or(0) < 0) {
      return c.fail("size {} of dimension {} is negative", *C::known(dim), k);
    }
    dims.push(dim);
  }
  return c.set(0, dims, c.option_dtype(otherwise));
}

template <class C>
Status create(C& c) {
  return sized(c, DType::kFloat32);
}

inline DType dtype_of_number(Scalar number) {
  return number.is_double()                     ? DType::kFloat32
         : number.kind() == Scalar::Kind::kBool ? DType::kBool
                                                : DType::kInt64;
}

// The number in argument 1 gives the dtype.
template <class C>
Status full(C& c) {
  return sized(c, dtype_of_number(c.scalar(1)));
}

// Shape of argument 0; its dtype unless the tensor option says another.
template <class C>
Status same_or_option(C& c) {
  return c.set(0, sizes_of(c, 0), c.option_dtype(c.dtype(0)));
}

template <class C>
Status scalar_tensor(C& c) {
  return c.set(0, Dims<typename C::Dim>(), c.option_dtype(DType::kFloat32));
}

template <class C>
Status no_range(C& c, const Scalar& start, const Scalar& end, const Scalar& step) {
  return c.fail("a range from {} to {} with step {} has no valid length", start.to_double(),
                end.to_double(), step.to_double());
}

// start, start + step, ... before end.
template <class C>
Status arange_of(C& c, const Scalar& start, const typename C::Dim& start_dim, size_t end_at,
                 const Scalar& step) {
  using D = typename C::Dim;
  const Scalar end = c.scalar(end_at);
  const bool floats = start.is_double() || end.is_double() || step.is_double();
  const DType dtype = c.option_dtype(floats ? DType::kFloat32 : DType::kInt64);
  if (!(step.to_double() < 0) && !(step.to_double() > 0)) {
    return c.fail("the step is {}", step.to_double());
  }
  D length;
  if (floats && !is_integral(dtype)) {
    const double exact = (end.to_double() - start.to_double()) / step.to_double();
    if (!(exact >= 0 && exact < 2147483647.0)) {
      return no_range(c, start, end, step);
    }
    const int64_t whole = static_cast<int64_t>(exact);
    length = D(static_cast<double>(whole) < exact ? whole + 1 : whole);
  } else {
    const int64_t by = step.to_int();
    const double span = end.to_double() - start.to_double();
    // Far enough inside int64 that no difference or sum below overflows.
    const double limit = 4e18;
    if (by == 0 || !(std::fabs(span) < limit) || !(std::fabs(step.to_double()) < limit)) {
      return no_range(c, start, end, step);
    }
    const D end_dim = end.is_double() ? D(end.to_int()) : c.dim(end_at);
    const D distance = by > 0 ? end_dim - start_dim : start_dim - end_dim;
    if (C::known(distance).value_or(0) < 0) {
      return no_range(c, start, end, step);
    }
    const int64_t stride = by > 0 ? by : -by;
    length = stride == 1 ? distance : floor_div(distance + D(stride - 1), stride);
  }
  Dims<D> dims;
  dims.push(length);
  return c.set(0, dims, dtype);
}

template <class C>
Status arange(C& c) {
  return arange_of(c, Scalar::of_int(0), typename C::Dim(0), 0, Scalar::of_int(1));
}

template <class C>
Status arange_start_step(C& c) {
  const Scalar start = c.scalar(0);
  const typename C::Dim start_dim = start.is_double() ? typename C::Dim(start.to_int()) : c.dim(0);
  return arange_of(c, start, start_dim, 1, c.scalar(2));
}

}  // namespace cresset::ops::infer
