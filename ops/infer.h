// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/optional.h"
#include "core/tensor.h"
#include "ops/promotion.h"

// Shape and dtype inference: one rule per kind of operator, with two callers. A rule is a template
//
//   template <class C> Status rule(C& c);
//
// over the context C that shows it the operator's arguments and takes its outputs' shapes. The
// runtime's context (ops/runtime_infer.h) has Dim = int64_t; the compiler's (compiler/ir) has
// symbolic dimensions. Arguments are numbered as in the row's schema: the rule must not use
// positions behind a tensor option. A context has:
//
//   using Dim;                              // supports + - * with Dim and int, ==
//   static Optional<int64_t> known(Dim);    // its value, where it is one number
//   bool has(size_t i);                     // not None
//   bool is_tensor(size_t i);               // a tensor rather than a number in its place
//   DType dtype(i); size_t rank(i); Dim size(i, d);             // of a tensor argument
//   size_t list_size(i);                                        // of any list argument
//   bool item_has(i, k); DType item_dtype(i, k); size_t item_rank(i, k); Dim item_size(i, k, d); //
//   tensor lists Scalar scalar(i); int64_t integer(i); bool boolean(i);      // plain arguments
//   int64_t int_item(i, k);                                     // int[] that must be known
//   double double_item(i, k);                                   // float[]
//   bool is_text(i, const char*);                               // a str argument
//   Dim dim(i); Dim dim_item(i, k);                             // SymInt, SymInt[]
//   Optional<DType> dtype_arg(i);                               // a ScalarType argument, None:
//   empty DType option_dtype(DType otherwise);                        // the tensor option dtype
//   size_t out_list_size(o);                                    // how many tensors a list output
//   has Status set(size_t o, const Dims<Dim>&, DType);              // output o Status
//   set_item(size_t o, size_t k, const Dims<Dim>&, DType); Status fail(const char* format,
//   args...);                   // kInvalidArgument
//
// An unknown symbolic dimension is taken to satisfy what the rule checks; the runtime checks again.
namespace cresset::ops {

// Sizes of a tensor under construction.
template <class Dim>
struct Dims {
  Dims() {}  // a {} argument means rank 0
  Dim d[kMaxRank] = {};
  size_t rank = 0;

  void push(Dim dim) {
    if (rank < kMaxRank) {
      d[rank++] = dim;
    }
  }
  Dim& operator[](size_t i) { return d[i]; }
  const Dim& operator[](size_t i) const { return d[i]; }
};

// Division that rounds toward minus infinity; b > 0.
inline int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

namespace infer {

// The kernel sizes its outputs itself, because they depend on data or are numbers.
template <class C>
Status manual(C&) {
  return Status::kOk;
}

template <class C>
Dims<typename C::Dim> sizes_of(C& c, size_t i) {
  Dims<typename C::Dim> dims;
  for (size_t d = 0; d < c.rank(i); ++d) {
    dims.push(c.size(i, d));
  }
  return dims;
}

// A dimension argument in [-rank, rank) made non-negative. A 0-d tensor takes 0 and -1.
template <class C>
Status wrap_dim(C& c, int64_t dim, size_t rank, size_t* wrapped) {
  const int64_t limit = rank == 0 ? 1 : static_cast<int64_t>(rank);
  if (dim < -limit || dim >= limit) {
    return c.fail("dim {} is out of range [{}, {}]", dim, -limit, limit - 1);
  }
  *wrapped = static_cast<size_t>(dim < 0 ? dim + limit : dim);
  return Status::kOk;
}

// Whether both are numbers and differ.
template <class C>
bool known_different(C&, const typename C::Dim& a, const typename C::Dim& b) {
  const Optional<int64_t> ka = C::known(a);
  const Optional<int64_t> kb = C::known(b);
  return ka.has_value() && kb.has_value() && *ka != *kb;
}

template <class C>
bool known_one(C&, const typename C::Dim& a) {
  return C::known(a).value_or(0) == 1;
}

// *into = the broadcast of *into with the sizes of tensor argument i (a number broadcasts with
// all).
template <class C>
Status broadcast_with(C& c, size_t i, Dims<typename C::Dim>* into) {
  using D = typename C::Dim;
  if (!c.is_tensor(i)) {
    return Status::kOk;
  }
  const Dims<D> other = sizes_of(c, i);
  Dims<D> result;
  result.rank = into->rank > other.rank ? into->rank : other.rank;
  for (size_t k = 0; k < result.rank; ++k) {  // k counts from the last dimension
    const size_t at = result.rank - 1 - k;
    if (k >= into->rank) {
      result[at] = other[other.rank - 1 - k];
      continue;
    }
    const D& a = (*into)[into->rank - 1 - k];
    if (k >= other.rank) {
      result[at] = a;
      continue;
    }
    const D& b = other[other.rank - 1 - k];
    if (known_one(c, a)) {
      result[at] = b;
    } else if (known_one(c, b) || a == b) {
      result[at] = a;
    } else if (known_different(c, a, b)) {
      return c.fail("sizes {} and {} at dimension {} do not broadcast", *C::known(a), *C::known(b),
                    at);
    } else {
      result[at] = C::known(a).has_value() ? a : b;
    }
  }
  *into = result;
  return Status::kOk;
}

template <class C>
void promote_with(C& c, size_t i, ResultType* type) {
  if (c.is_tensor(i)) {
    type->add(c.dtype(i), c.rank(i));
  } else {
    type->add(c.scalar(i));
  }
}

}  // namespace infer
}  // namespace cresset::ops
