// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_matmul.h"

// Linear algebra: matrices are the last two dimensions, the ones before count them.
namespace cresset::ops::infer {

// Shape of argument 1; integers and bools become float32.
template <class C>
Status unary_float_second(C& c) {
  return c.set(0, sizes_of(c, 1), float_of(c.dtype(1)));
}

template <class C>
Status want_matrices(C& c, size_t i, const char* name) {
  if (c.rank(i) < 2) {
    return c.fail("{} must have at least 2 dimensions, got {}", name, c.rank(i));
  }
  return Status::kOk;
}

template <class C>
Status want_square(C& c, size_t i, const char* name) {
  CRESSET_TRY(want_matrices(c, i, name));
  const size_t rank = c.rank(i);
  if (known_different(c, c.size(i, rank - 2), c.size(i, rank - 1))) {
    return c.fail("{} must be square matrices, got {} rows and {} columns", name,
                  *C::known(c.size(i, rank - 2)), *C::known(c.size(i, rank - 1)));
  }
  return Status::kOk;
}

// The dimensions of argument i but the last `inner` ones, then those that `more` pushes.
template <class C>
Dims<typename C::Dim> batch_sizes(C& c, size_t i, size_t inner = 2) {
  Dims<typename C::Dim> dims = sizes_of(c, i);
  dims.rank -= inner < dims.rank ? inner : dims.rank;
  return dims;
}
template <class D>
Dims<D> with_sizes(Dims<D> dims, D a) {
  dims.push(a);
  return dims;
}
template <class D>
Dims<D> with_sizes(Dims<D> dims, D a, D b) {
  dims.push(a);
  dims.push(b);
  return dims;
}

// The lesser of the rows and the columns; they are known, or one stands for both.
template <class C>
typename C::Dim lesser_side(C& c, size_t i) {
  const auto rows = c.size(i, c.rank(i) - 2);
  const auto columns = c.size(i, c.rank(i) - 1);
  const Optional<int64_t> r = C::known(rows), k = C::known(columns);
  return r.has_value() && k.has_value() && *r < *k ? rows : columns;
}

// *into = the broadcast of the leading dimensions of two lists of matrices.
template <class C>
Status broadcast_batches(C& c, size_t a, size_t b, Dims<typename C::Dim>* into) {
  using D = typename C::Dim;
  const Dims<D> left = batch_sizes(c, a), right = batch_sizes(c, b);
  into->rank = left.rank > right.rank ? left.rank : right.rank;
  for (size_t back = 1; back <= into->rank; ++back) {
    D& size = (*into)[into->rank - back];
    if (back > left.rank || back > right.rank) {
      size = back > left.rank ? right[right.rank - back] : left[left.rank - back];
      continue;
    }
    const D& x = left[left.rank - back];
    const D& y = right[right.rank - back];
    if (!known_one(c, x) && !known_one(c, y)) {
      CRESSET_TRY(want_equal(c, x, y, "leading dimensions"));
    }
    size = known_one(c, x) ? y : x;
  }
  return Status::kOk;
}

template <class C>
Status square_same(C& c) {
  CRESSET_TRY(want_square(c, 0, "self"));
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// A matrix of the same sizes, and a number each that says how it went.
template <class C>
Status square_and_info(C& c) {
  CRESSET_TRY(square_same(c));
  return c.set(1, batch_sizes(c, 0), DType::kInt32);
}

// L D L^T: factors, pivots, info.
template <class C>
Status ldl_factor(C& c) {
  CRESSET_TRY(square_same(c));
  CRESSET_TRY(c.set(1, batch_sizes(c, 0, 1), DType::kInt32));
  return c.set(2, batch_sizes(c, 0), DType::kInt32);
}

// Factors of any matrix, pivots, info.
template <class C>
Status lu_factor(C& c) {
  CRESSET_TRY(want_matrices(c, 0, "A"));
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  CRESSET_TRY(c.set(1, with_sizes(batch_sizes(c, 0), lesser_side(c, 0)), DType::kInt32));
  return c.set(2, batch_sizes(c, 0), DType::kInt32);
}

template <class C>
Status set_lu(C& c, bool with_p, bool with_data) {
  CRESSET_TRY(want_matrices(c, 0, "A"));
  using D = typename C::Dim;
  const Dims<D> batch = batch_sizes(c, 0);
  const D rows = c.size(0, c.rank(0) - 2), columns = c.size(0, c.rank(0) - 1);
  const D side = lesser_side(c, 0);
  const Dims<D> none = with_sizes(Dims<D>(), D(0));
  CRESSET_TRY(c.set(0, with_p ? with_sizes(batch, rows, rows) : none, c.dtype(0)));
  CRESSET_TRY(c.set(1, with_data ? with_sizes(batch, rows, side) : none, c.dtype(0)));
  return c.set(2, with_data ? with_sizes(batch, side, columns) : none, c.dtype(0));
}

// P, L, U.
template <class C>
Status lu(C& c) {
  return set_lu(c, true, true);
}

// Of packed factors and pivots; argument 2: L and U, argument 3: P.
template <class C>
Status lu_unpack(C& c) {
  if (c.rank(1) + 1 != c.rank(0)) {
    return c.fail("LU_pivots must have {} dimensions, got {}", c.rank(0) - 1, c.rank(1));
  }
  return set_lu(c, c.boolean(3), c.boolean(2));
}

template <class C>
Status want_side(C& c, size_t b, size_t a, bool left, const char* what) {
  CRESSET_TRY(want_matrices(c, b, "B"));
  return want_equal(c, c.size(b, c.rank(b) - (left ? 2 : 1)), c.size(a, c.rank(a) - 1), what);
}

// A solution with the matrices of `a` for the right sides `b`; leading dimensions broadcast.
template <class C>
Status set_solution(C& c, size_t a, size_t b, bool left) {
  using D = typename C::Dim;
  CRESSET_TRY(want_square(c, a, "the matrix"));
  CRESSET_TRY(want_side(c, b, a, left, "rows (columns where not left) of B and of the matrix"));
  if (c.dtype(a) != c.dtype(b)) {
    return c.fail("the matrix is {}, B is {}: they must be of the same dtype", c.dtype(a),
                  c.dtype(b));
  }
  Dims<D> batch;
  CRESSET_TRY(broadcast_batches(c, a, b, &batch));
  return c.set(0, with_sizes(batch, c.size(b, c.rank(b) - 2), c.size(b, c.rank(b) - 1)),
               c.dtype(b));
}

// (A, B, upper, left, unitriangular)
template <class C>
Status solve_triangular(C& c) {
  return set_solution(c, 0, 1, c.boolean(3));
}

// (B, A, ...) -> solution, A broadcast.
template <class C>
Status triangular_solve(C& c) {
  using D = typename C::Dim;
  CRESSET_TRY(set_solution(c, 1, 0, true));
  Dims<D> batch;
  CRESSET_TRY(broadcast_batches(c, 1, 0, &batch));
  const D side = c.size(1, c.rank(1) - 1);
  return c.set(1, with_sizes(batch, side, side), c.dtype(1));
}

// (B, factor)
template <class C>
Status cholesky_solve(C& c) {
  return set_solution(c, 1, 0, true);
}

// Pivots of argument i belong to the matrices of argument 0.
template <class C>
Status want_pivots(C& c, size_t i) {
  if (c.dtype(i) != DType::kInt32) {
    return c.fail("pivots must be int32, got {}", c.dtype(i));
  }
  if (c.rank(i) + 1 != c.rank(0)) {
    return c.fail("pivots must have {} dimensions, got {}", c.rank(0) - 1, c.rank(i));
  }
  for (size_t d = 0; d < c.rank(i); ++d) {
    CRESSET_TRY(want_equal(c, c.size(i, d), c.size(0, d), "sizes of pivots and of the matrices"));
  }
  return Status::kOk;
}

// (LU, pivots, B, left)
template <class C>
Status lu_solve(C& c) {
  CRESSET_TRY(want_square(c, 0, "LU"));
  CRESSET_TRY(want_pivots(c, 1));
  return set_solution(c, 0, 2, c.boolean(3));
}

// (LD, pivots, B)
template <class C>
Status ldl_solve(C& c) {
  CRESSET_TRY(want_square(c, 0, "LD"));
  CRESSET_TRY(want_pivots(c, 1));
  return set_solution(c, 0, 2, true);
}

// Whether B lists vectors rather than matrices: its sizes are those of A but the last.
template <class C>
bool solves_vectors(C& c) {
  if (c.rank(1) == 1) {
    return true;
  }
  bool equal = c.rank(1) + 1 == c.rank(0);
  for (size_t d = 0; equal && d < c.rank(1); ++d) {
    equal = !known_different(c, c.size(1, d), c.size(0, d));
  }
  return equal;
}

// (A, B, left) -> solution, LU, pivots, info.
template <class C>
Status solve(C& c) {
  using D = typename C::Dim;
  CRESSET_TRY(want_square(c, 0, "A"));
  if (c.rank(1) == 0) {
    return c.fail("B must have at least one dimension");
  }
  if (solves_vectors(c)) {
    if (!c.boolean(2)) {
      return c.fail("left must be true where B lists vectors");
    }
    CRESSET_TRY(want_equal(c, c.size(1, c.rank(1) - 1), c.size(0, c.rank(0) - 1),
                           "sizes of A and of the vectors B"));
    CRESSET_TRY(want_dtype_of_first(c, 1, "A", "B"));
    const Dims<D> batch = batch_sizes(c, 0);
    CRESSET_TRY(c.set(0, with_sizes(batch, c.size(0, c.rank(0) - 1)), c.dtype(0)));
  } else {
    CRESSET_TRY(set_solution(c, 0, 1, c.boolean(2)));
  }
  CRESSET_TRY(c.set(1, sizes_of(c, 0), c.dtype(0)));
  CRESSET_TRY(c.set(2, batch_sizes(c, 0, 1), DType::kInt32));
  return c.set(3, batch_sizes(c, 0), DType::kInt32);
}

// Determinant, LU, pivots.
template <class C>
Status det(C& c) {
  CRESSET_TRY(want_square(c, 0, "A"));
  CRESSET_TRY(c.set(0, batch_sizes(c, 0), c.dtype(0)));
  CRESSET_TRY(c.set(1, sizes_of(c, 0), c.dtype(0)));
  return c.set(2, batch_sizes(c, 0, 1), DType::kInt32);
}

// Sign, log of the absolute value, LU, pivots.
template <class C>
Status slogdet(C& c) {
  CRESSET_TRY(want_square(c, 0, "A"));
  CRESSET_TRY(c.set(0, batch_sizes(c, 0), c.dtype(0)));
  CRESSET_TRY(c.set(1, batch_sizes(c, 0), c.dtype(0)));
  CRESSET_TRY(c.set(2, sizes_of(c, 0), c.dtype(0)));
  return c.set(3, batch_sizes(c, 0, 1), DType::kInt32);
}

// Packed reflections, their factors.
template <class C>
Status geqrf(C& c) {
  CRESSET_TRY(want_matrices(c, 0, "self"));
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  return c.set(1, with_sizes(batch_sizes(c, 0), lesser_side(c, 0)), c.dtype(0));
}

// Q, R; argument 1: reduced, complete or r.
template <class C>
Status qr(C& c) {
  using D = typename C::Dim;
  CRESSET_TRY(want_matrices(c, 0, "A"));
  const bool complete = c.is_text(1, "complete"), only_r = c.is_text(1, "r");
  if (!complete && !only_r && !c.is_text(1, "reduced")) {
    return c.fail("mode must be reduced, complete or r");
  }
  const Dims<D> batch = batch_sizes(c, 0);
  const D rows = c.size(0, c.rank(0) - 2), columns = c.size(0, c.rank(0) - 1);
  const D side = complete ? rows : lesser_side(c, 0);
  CRESSET_TRY(
      c.set(0, only_r ? with_sizes(Dims<D>(), D(0)) : with_sizes(batch, rows, side), c.dtype(0)));
  return c.set(1, with_sizes(batch, side, columns), c.dtype(0));
}

// (reflections, factors): there are no more factors than columns, nor columns than rows.
template <class C>
Status want_reflections(C& c, const char* name) {
  CRESSET_TRY(want_matrices(c, 0, name));
  if (c.rank(1) + 1 != c.rank(0)) {
    return c.fail("the factors must have {} dimensions, got {}", c.rank(0) - 1, c.rank(1));
  }
  CRESSET_TRY(want_dtype_of_first(c, 1, name, "the factors"));
  const Optional<int64_t> count = C::known(c.size(1, c.rank(1) - 1));
  const Optional<int64_t> side = C::known(lesser_side(c, 0));
  if (count.has_value() && side.has_value() && *count > *side) {
    return c.fail("{} factors, but {} has room for {} reflections", *count, name, *side);
  }
  for (size_t d = 0; d + 1 < c.rank(1); ++d) {
    CRESSET_TRY(want_equal(c, c.size(1, d), c.size(0, d), "leading dimensions"));
  }
  return Status::kOk;
}

template <class C>
Status householder_product(C& c) {
  CRESSET_TRY(want_reflections(c, "input"));
  const Optional<int64_t> rows = C::known(c.size(0, c.rank(0) - 2));
  const Optional<int64_t> columns = C::known(c.size(0, c.rank(0) - 1));
  if (rows.has_value() && columns.has_value() && *columns > *rows) {
    return c.fail("input must have no more columns than rows, got {} and {}", *columns, *rows);
  }
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// (reflections, factors, matrices, left)
template <class C>
Status ormqr(C& c) {
  CRESSET_TRY(want_reflections(c, "self"));
  CRESSET_TRY(want_matrices(c, 2, "input3"));
  CRESSET_TRY(want_dtype_of_first(c, 2, "self", "input3"));
  const bool left = c.boolean(3);
  CRESSET_TRY(want_equal(c, c.size(2, c.rank(2) - (left ? 2 : 1)), c.size(0, c.rank(0) - 2),
                         "rows of self and a side of input3"));
  if (c.rank(2) != c.rank(0)) {
    return c.fail("input3 must have {} dimensions, got {}", c.rank(0), c.rank(2));
  }
  for (size_t d = 0; d + 2 < c.rank(0); ++d) {
    CRESSET_TRY(want_equal(c, c.size(2, d), c.size(0, d), "leading dimensions"));
  }
  return c.set(0, sizes_of(c, 2), c.dtype(2));
}

// U, S, Vh; argument 1: full matrices, argument 2: whether to compute U and Vh.
template <class C>
Status svd(C& c) {
  using D = typename C::Dim;
  CRESSET_TRY(want_matrices(c, 0, "A"));
  const Dims<D> batch = batch_sizes(c, 0);
  const D rows = c.size(0, c.rank(0) - 2), columns = c.size(0, c.rank(0) - 1);
  const D side = lesser_side(c, 0);
  const bool full = c.boolean(1), vectors = c.boolean(2);
  const Dims<D> none = with_sizes(Dims<D>(), D(0));
  CRESSET_TRY(c.set(0, vectors ? with_sizes(batch, rows, full ? rows : side) : none, c.dtype(0)));
  CRESSET_TRY(c.set(1, with_sizes(batch, side), c.dtype(0)));
  return c.set(2, vectors ? with_sizes(batch, full ? columns : side, columns) : none, c.dtype(0));
}

// Eigenvalues, eigenvectors; argument 2: whether to compute the latter.
template <class C>
Status eigh(C& c) {
  using D = typename C::Dim;
  CRESSET_TRY(want_square(c, 0, "A"));
  CRESSET_TRY(c.set(0, batch_sizes(c, 0, 1), c.dtype(0)));
  return c.set(1, c.boolean(2) ? sizes_of(c, 0) : with_sizes(Dims<D>(), D(0)), c.dtype(0));
}

// Matrices of the transposed sizes.
template <class C>
Status pinv(C& c) {
  CRESSET_TRY(want_matrices(c, 0, "self"));
  const size_t rank = c.rank(0);
  return c.set(0, with_sizes(batch_sizes(c, 0), c.size(0, rank - 1), c.size(0, rank - 2)),
               c.dtype(0));
}

}  // namespace cresset::ops::infer
