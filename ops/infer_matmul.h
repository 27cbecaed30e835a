// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer.h"

namespace cresset::ops::infer {

template <class C>
Status want_rank(C& c, size_t i, size_t rank, const char* name) {
  if (c.rank(i) != rank) {
    return c.fail("{} must have {} dimensions, got {}", name, rank, c.rank(i));
  }
  return Status::kOk;
}

// Argument i has the dtype of argument 0.
template <class C>
Status want_dtype_of_first(C& c, size_t i, const char* first, const char* name) {
  if (c.dtype(i) != c.dtype(0)) {
    return c.fail("{} is {}, {} is {}: they must be of the same dtype", name, c.dtype(i), first,
                  c.dtype(0));
  }
  return Status::kOk;
}

template <class C>
Status want_equal(C& c, const typename C::Dim& a, const typename C::Dim& b, const char* what) {
  if (known_different(c, a, b)) {
    return c.fail("{}: {} and {} must be equal", what, *C::known(a), *C::known(b));
  }
  return Status::kOk;
}

// A number given for tensors of integers must not be a float.
template <class C>
Status want_no_fraction(C& c, size_t i, const char* name) {
  if (is_integral(c.dtype(0)) && c.scalar(i).is_double()) {
    return c.fail("{} must be an integer for tensors of {}", name, c.dtype(0));
  }
  return Status::kOk;
}

// [n, k] x [k, m] -> [n, m].
template <class C>
Status mm(C& c) {
  CRESSET_TRY(want_rank(c, 0, 2, "self"));
  CRESSET_TRY(want_rank(c, 1, 2, "mat2"));
  CRESSET_TRY(want_dtype_of_first(c, 1, "self", "mat2"));
  CRESSET_TRY(want_equal(c, c.size(0, 1), c.size(1, 0), "columns of self and rows of mat2"));
  Dims<typename C::Dim> dims;
  dims.push(c.size(0, 0));
  dims.push(c.size(1, 1));
  return c.set(0, dims, c.dtype(0));
}

// [b, n, k] x [b, k, m] -> [b, n, m].
template <class C>
Status bmm(C& c) {
  CRESSET_TRY(want_rank(c, 0, 3, "self"));
  CRESSET_TRY(want_rank(c, 1, 3, "mat2"));
  CRESSET_TRY(want_dtype_of_first(c, 1, "self", "mat2"));
  CRESSET_TRY(want_equal(c, c.size(0, 0), c.size(1, 0), "batches of self and mat2"));
  CRESSET_TRY(want_equal(c, c.size(0, 2), c.size(1, 1), "columns of self and rows of mat2"));
  Dims<typename C::Dim> dims;
  dims.push(C::known(c.size(0, 0)).has_value() ? c.size(0, 0) : c.size(1, 0));
  dims.push(c.size(0, 1));
  dims.push(c.size(1, 2));
  return c.set(0, dims, c.dtype(0));
}

// self broadcasts to [n, m]; [n, k] x [k, m].
template <class C>
Status addmm(C& c) {
  CRESSET_TRY(want_rank(c, 1, 2, "mat1"));
  CRESSET_TRY(want_rank(c, 2, 2, "mat2"));
  CRESSET_TRY(want_dtype_of_first(c, 1, "self", "mat1"));
  CRESSET_TRY(want_dtype_of_first(c, 2, "self", "mat2"));
  CRESSET_TRY(want_equal(c, c.size(1, 1), c.size(2, 0), "columns of mat1 and rows of mat2"));
  CRESSET_TRY(want_no_fraction(c, 3, "beta"));
  CRESSET_TRY(want_no_fraction(c, 4, "alpha"));
  Dims<typename C::Dim> dims;
  dims.push(c.size(1, 0));
  dims.push(c.size(2, 1));
  if (c.rank(0) > 2) {
    return c.fail("self must have at most 2 dimensions, got {}", c.rank(0));
  }
  for (size_t k = 0; k < c.rank(0); ++k) {
    const auto size = c.size(0, c.rank(0) - 1 - k);
    if (!known_one(c, size)) {
      CRESSET_TRY(want_equal(c, size, dims[1 - k], "a dimension of self and of the result"));
    }
  }
  return c.set(0, dims, c.dtype(0));
}

// input [..., k], weight [m, k] or [k], bias [m] -> [..., m].
template <class C>
Status linear(C& c) {
  if (c.rank(0) < 1) {
    return c.fail("input must have at least one dimension");
  }
  if (c.rank(1) != 1 && c.rank(1) != 2) {
    return c.fail("weight must have 1 or 2 dimensions, got {}", c.rank(1));
  }
  CRESSET_TRY(want_dtype_of_first(c, 1, "input", "weight"));
  CRESSET_TRY(want_equal(c, c.size(0, c.rank(0) - 1), c.size(1, c.rank(1) - 1),
                         "last dimensions of input and weight"));
  Dims<typename C::Dim> dims = sizes_of(c, 0);
  if (c.rank(1) == 1) {
    --dims.rank;
  } else {
    dims[dims.rank - 1] = c.size(1, 0);
  }
  if (c.has(2)) {
    CRESSET_TRY(want_dtype_of_first(c, 2, "input", "bias"));
    if (c.rank(2) > 1 || (c.rank(1) == 1 && c.rank(2) != 0)) {
      return c.fail("bias must have {} dimensions, got {}", c.rank(1) - 1, c.rank(2));
    }
    if (c.rank(2) == 1 && !known_one(c, c.size(2, 0))) {
      CRESSET_TRY(want_equal(c, c.size(2, 0), c.size(1, 0), "size of bias and rows of weight"));
    }
  }
  return c.set(0, dims, c.dtype(0));
}

// x1 [..., p, d], x2 [..., r, d] -> [..., p, r]; leading dimensions broadcast.
template <class C>
Status cdist(C& c) {
  const size_t r1 = c.rank(0), r2 = c.rank(1);
  if (r1 < 2 || r2 < 2) {
    return c.fail("x1 and x2 must have at least 2 dimensions, got {} and {}", r1, r2);
  }
  CRESSET_TRY(want_dtype_of_first(c, 1, "x1", "x2"));
  CRESSET_TRY(want_equal(c, c.size(0, r1 - 1), c.size(1, r2 - 1), "columns of x1 and x2"));
  if (!(c.scalar(2).to_double() >= 0)) {
    return c.fail("p must not be negative, got {}", c.scalar(2).to_double());
  }
  Dims<typename C::Dim> dims;
  const size_t lead = (r1 > r2 ? r1 : r2) - 2;
  for (size_t d = 0; d < lead; ++d) {
    const size_t back = lead - d;  // counts from the matrix dimensions outward
    const bool in1 = r1 - 2 >= back, in2 = r2 - 2 >= back;
    if (!in1 || !in2) {
      dims.push(in1 ? c.size(0, r1 - 2 - back) : c.size(1, r2 - 2 - back));
      continue;
    }
    const auto a = c.size(0, r1 - 2 - back);
    const auto b = c.size(1, r2 - 2 - back);
    if (!known_one(c, a) && !known_one(c, b)) {
      CRESSET_TRY(want_equal(c, a, b, "batches of x1 and x2"));
    }
    dims.push(known_one(c, a) ? b : a);
  }
  dims.push(c.size(0, r1 - 2));
  dims.push(c.size(1, r2 - 2));
  return c.set(0, dims, c.dtype(0));
}

// Pairs of the n rows of self -> [n * (n - 1) / 2].
template <class C>
Status pdist(C& c) {
  CRESSET_TRY(want_rank(c, 0, 2, "self"));
  if (!(c.scalar(1).to_double() >= 0)) {
    return c.fail("p must not be negative, got {}", c.scalar(1).to_double());
  }
  const auto n = c.size(0, 0);
  Dims<typename C::Dim> dims;
  dims.push(floor_div(n * (n - 1), 2));
  return c.set(0, dims, c.dtype(0));
}

}  // namespace cresset::ops::infer
