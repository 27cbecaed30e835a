// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/decompositions.h"

// Views: other ways of reading the elements of a tensor. functionalize relies on each being a chain
// of the view rows (view_copy, permute_copy, slice_copy ...) on argument 0.
namespace cresset::passes::decompositions {

namespace {

// `to` sizes of a view of x, one of which may be -1.
Values view_to(Builder& b, Dims to) {
  // The model records what a -1 comes to.
  for (size_t d = 0; d < to.size() && d < b.out().sizes.size(); ++d) {
    if (to[d] == Dim(-1) || !to[d].is_known()) {
      to[d] = b.out().sizes[d];
    }
  }
  return {b.view(b.in(0), std::move(to))};
}

Values view_as_recorded(Builder& b) { return {b.view(b.in(0), b.out().sizes)}; }

Values moved(Builder& b, const Ints& from, const Ints& to) {
  const size_t rank = b.in(0)->rank();
  const int64_t n = static_cast<int64_t>(rank);
  Ints order(rank, -1);
  std::vector<bool> taken(rank, false);
  for (size_t i = 0; i < from.size() && i < to.size() && rank > 0; ++i) {
    const int64_t source = from[i] < 0 ? from[i] + n : from[i];
    const int64_t target = to[i] < 0 ? to[i] + n : to[i];
    if (source < 0 || source >= n || target < 0 || target >= n) {
      return b.unsupported("a dim is out of range");
    }
    order[static_cast<size_t>(target)] = source;
    taken[static_cast<size_t>(source)] = true;
  }
  size_t next = 0;
  for (int64_t& dim : order) {
    if (dim < 0) {
      while (taken[next]) {
        ++next;
      }
      dim = static_cast<int64_t>(next++);
    }
  }
  return {b.permute(b.in(0), order)};
}

// Pieces of a dimension, with the lengths that the model records for them.
Values pieces(Builder& b, size_t dim) {
  Values parts;
  Dim start(0);
  for (size_t i = 0; i < b.node().results().size(); ++i) {
    const Dim length = b.size(b.node().result(i), static_cast<int64_t>(dim));
    parts.push_back(b.narrow(b.in(0), static_cast<int64_t>(dim), start, length));
    start = start + length;
  }
  return parts;
}

// Conversions: nothing to do, or a copy with another dtype or order of dims.
Values converted(Builder& b) {
  Value* x = b.in(0);
  const int format_at = b.node().schema().find("memory_format");
  const Argument format = format_at < 0 ? Argument() : b.node().arg(static_cast<size_t>(format_at));
  const bool reorders = format.is_int() && format.integer() != 1 &&
                        !(format.integer() == 0 && x->tensor().dim_order.empty());
  if (reorders) {
    TensorType type = b.out();
    return {b.typed(Op::_to_copy,
                    {x, type.dtype, Argument(), Argument(), Argument(), false, format}, type)};
  }
  return {b.cast(x, b.out().dtype)};
}

Values at_least(Builder& b, Value* x, size_t rank) {
  const Dims& sizes = x->sizes();
  if (sizes.size() >= rank) {
    return {x};
  }
  if (sizes.empty()) {
    return {b.view(x, Dims(rank, Dim(1)))};
  }
  if (rank == 2) {
    return {b.view(x, {1, sizes[0]})};
  }
  return {b.view(x, sizes.size() == 1 ? Dims{1, sizes[0], 1} : Dims{sizes[0], sizes[1], 1})};
}

}  // namespace

Values view(Builder& b) { return view_to(b, b.dims(1)); }
Values _unsafe_view(Builder& b) { return view_to(b, b.dims(1)); }
Values reshape(Builder& b) {
  Dim others(1);
  bool guesses = false;
  for (const Dim& size : b.dims(1)) {
    guesses = guesses || size == Dim(-1);
    others = size == Dim(-1) ? others : others * size;
  }
  return guesses && others == Dim(0) ? b.unsupported("what -1 stands for is not determined")
                                     : view_to(b, b.dims(1));
}
Values view_as(Builder& b) {
  const Dim have = numel(b.in(0)->sizes()), want = numel(b.in(1)->sizes());
  if (have.is_known() && want.is_known() && !(have == want)) {
    return b.unsupported(have.text() + " elements do not fill " + ir::sizes_text(b.in(1)->sizes()));
  }
  return view_as_recorded(b);
}
Values reshape_as(Builder& b) { return view_as(b); }
Values flatten_using_ints(Builder& b) { return view_as_recorded(b); }
Values ravel(Builder& b) { return view_as_recorded(b); }
Values unflatten_int(Builder& b) {
  const Dims sizes = b.dims(2);
  const Dim whole = b.size(b.in(0), static_cast<int64_t>(b.axis(1, b.in(0)->rank())));
  const Dim product = numel(sizes);
  const bool guesses = std::count(sizes.begin(), sizes.end(), Dim(-1)) != 0;
  if (!guesses && product.is_known() && whole.is_known() && !(product == whole)) {
    return b.unsupported(ir::sizes_text(sizes) + " do not make " + whole.text());
  }
  return view_as_recorded(b);
}
Values squeeze(Builder& b) { return view_as_recorded(b); }
Values squeeze_dim(Builder& b) {
  b.axis(1, b.in(0)->rank());
  return view_as_recorded(b);
}
Values squeeze_dims(Builder& b) {
  b.axes(1, b.in(0)->rank());
  return view_as_recorded(b);
}
Values squeeze_copy(Builder& b) { return view_as_recorded(b); }
Values unsqueeze(Builder& b) {
  b.axis(1, b.in(0)->rank() + 1);
  return view_as_recorded(b);
}
Values atleast_1d(Builder& b) { return at_least(b, b.in(0), 1); }
Values atleast_2d(Builder& b) { return at_least(b, b.in(0), 2); }
Values atleast_3d(Builder& b) { return at_least(b, b.in(0), 3); }

namespace {

Values all_at_least(Builder& b, size_t rank) {
  Values results;
  for (Value* x : b.tensors(0)) {
    results.push_back(at_least(b, x, rank)[0]);
  }
  return results;
}

}  // namespace

Values atleast_1d_sequence(Builder& b) { return all_at_least(b, 1); }
Values atleast_2d_sequence(Builder& b) { return all_at_least(b, 2); }
Values atleast_3d_sequence(Builder& b) { return all_at_least(b, 3); }

Values permute(Builder& b) { return {b.permute(b.in(0), b.ints(1))}; }
Values transpose_int(Builder& b) { return {b.transpose(b.in(0), b.integer(1), b.integer(2))}; }
Values swapaxes(Builder& b) { return transpose_int(b); }
Values swapdims(Builder& b) { return transpose_int(b); }
Values t(Builder& b) { return {b.in(0)->rank() < 2 ? b.in(0) : b.transpose(b.in(0), 0, 1)}; }
Values mT(Builder& b) { return {b.transpose(b.in(0), -2, -1)}; }
Values numpy_T(Builder& b) {
  Ints order = counted(b.in(0)->rank());
  std::reverse(order.begin(), order.end());
  return {b.permute(b.in(0), order)};
}
namespace {
Values conjugate_transpose(Builder& b) {
  if (is_complex(b.in(0)->dtype())) {
    return b.unsupported("complex tensors are not supported");
  }
  return {b.in(0)->rank() < 2 ? b.in(0) : b.transpose(b.in(0), -2, -1)};
}
}  // namespace
Values mH(Builder& b) { return conjugate_transpose(b); }
Values matrix_H(Builder& b) { return conjugate_transpose(b); }
Values adjoint(Builder& b) { return conjugate_transpose(b); }
Values movedim_int(Builder& b) { return moved(b, {b.integer(1)}, {b.integer(2)}); }
Values movedim_intlist(Builder& b) { return moved(b, b.ints(1), b.ints(2)); }
Values moveaxis_int(Builder& b) { return movedim_int(b); }
Values moveaxis_intlist(Builder& b) { return movedim_intlist(b); }

Values expand(Builder& b) {
  Value* x = b.in(0);
  if (!is_tensor(b.node().arg(1))) {
    const Dims to = b.dims(1);
    bool fits = to.size() >= x->rank();
    for (size_t d = 0; d < to.size(); ++d) {
      const bool added = d + x->rank() < to.size();
      fits = fits && to[d].known().value_or(0) >= (added ? 0 : -1);
    }
    for (size_t d = 0; d < x->rank() && fits; ++d) {
      const Dim& wanted = to[to.size() - x->rank() + d];
      const Dim& size = x->sizes()[d];
      fits = !wanted.is_known() || !size.is_known() || size == Dim(1) || wanted == Dim(-1) ||
             wanted == size;
    }
    if (!fits) {
      return b.unsupported(ir::sizes_text(x->sizes()) + " cannot become " + ir::sizes_text(to));
    }
  }
  return {b.expand(x, b.out().sizes)};
}
Values expand_as(Builder& b) {
  const Dims to = b.in(1)->sizes();
  const Dims both = broadcast(b, b.in(0)->sizes(), to);
  if (numel(both).is_known() && numel(to).is_known() && !(both == to)) {
    return b.unsupported(ir::sizes_text(b.in(0)->sizes()) + " does not expand to " +
                         ir::sizes_text(to));
  }
  return expand(b);
}
Values broadcast_to(Builder& b) { return expand(b); }
Values broadcast_tensors(Builder& b) {
  Values results;
  for (Value* x : b.tensors(0)) {
    if (results.size() == b.node().results().size()) {
      return b.unsupported("more tensors than results");
    }
    results.push_back(b.expand(x, b.out(results.size()).sizes));
  }
  return results;
}

Values select_int(Builder& b) {
  const int64_t dim = static_cast<int64_t>(b.axis(1, b.in(0)->rank()));
  if (b.node().arg(2).is_value()) {
    return {b.typed(Op::select_copy_int, {b.in(0), dim, b.node().arg(2)}, b.out())};
  }
  return {b.select(b.in(0), dim, b.dim(2))};
}
Values slice_tensor(Builder& b) {
  Value* x = b.in(0);
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  const Dim length = b.size(b.node().result(), dim);
  if (b.node().arg(4) == Argument(1) && length == b.size(x, dim)) {
    return {x};
  }
  return {b.slice(x, dim, b.node().arg(2), b.node().arg(3), b.dim(4), length)};
}
Values narrow(Builder& b) {
  const int64_t dim = static_cast<int64_t>(b.axis(1, b.in(0)->rank()));
  Dim start = b.dim(2);
  if (start.known().value_or(0) < 0) {
    start = start + b.size(b.in(0), dim);
  }
  return {b.narrow(b.in(0), dim, start, b.dim(3))};
}
Values split_tensor(Builder& b) { return pieces(b, b.axis(2, b.in(0)->rank())); }
Values split_with_sizes(Builder& b) {
  const size_t dim = b.axis(2, b.in(0)->rank());
  Dim total(0);
  for (const Dim& size : b.dims(1)) {
    if (size.known().value_or(0) < 0) {
      return b.unsupported("a negative size");
    }
    total = total + size;
  }
  const Dim size = b.size(b.in(0), static_cast<int64_t>(dim));
  if (total.is_known() && size.is_known() && !(total == size)) {
    return b.unsupported("sizes of " + total.text() + " in all for a dimension of " + size.text());
  }
  return pieces(b, dim);
}
Values split_sizes(Builder& b) { return split_with_sizes(b); }
Values chunk(Builder& b) { return split_tensor(b); }
Values tensor_split_sections(Builder& b) { return split_tensor(b); }
Values tensor_split_indices(Builder& b) { return split_tensor(b); }
Values tensor_split_tensor_indices_or_sections(Builder& b) { return split_tensor(b); }

namespace {

// Along dimension `dim`, which tensors of fewer dimensions do not have.
Values pieces_along(Builder& b, size_t dim) {
  if (b.in(0)->rank() <= dim) {
    return b.unsupported("a tensor of " + std::to_string(b.in(0)->rank()) + " dimensions");
  }
  if (!b.node().arg(1).is_list()) {
    const int64_t count = b.integer(1);
    const Dim size = b.size(b.in(0), static_cast<int64_t>(dim));
    if (count <= 0 || (size.is_known() && *size.known() % count != 0)) {
      return b.unsupported(std::to_string(count) + " pieces of a dimension of " + size.text());
    }
  }
  return pieces(b, dim);
}

}  // namespace

Values hsplit_int(Builder& b) { return pieces_along(b, b.in(0)->rank() == 1 ? 0 : 1); }
Values hsplit_array(Builder& b) { return hsplit_int(b); }
Values vsplit_int(Builder& b) { return pieces_along(b, 0); }
Values vsplit_array(Builder& b) { return pieces_along(b, 0); }
Values dsplit_int(Builder& b) { return pieces_along(b, 2); }
Values dsplit_array(Builder& b) { return pieces_along(b, 2); }
Values unbind_int(Builder& b) {
  Values parts;
  const int64_t dim = static_cast<int64_t>(b.axis(1, b.in(0)->rank()));
  for (size_t i = 0; i < b.node().results().size(); ++i) {
    parts.push_back(b.select(b.in(0), dim, static_cast<int64_t>(i)));
  }
  return parts;
}

Values diagonal(Builder& b) {
  return {b.typed(Op::diagonal_copy, {b.in(0), b.node().arg(1), b.node().arg(2), b.node().arg(3)},
                  b.out())};
}
Values linalg_diagonal(Builder& b) { return diagonal(b); }
Values unfold(Builder& b) {
  return {b.typed(Op::unfold_copy, b.node().args(), {b.in(0)->dtype(), b.out().sizes, {}})};
}
Values as_strided(Builder& b) {
  return {b.typed(Op::as_strided_copy, b.node().args(), {b.in(0)->dtype(), b.out().sizes, {}})};
}
Values view_as_real(Builder& b) { return {b.call(Op::view_as_real_copy, {b.in(0)})}; }
Values view_as_complex(Builder& b) { return {b.call(Op::view_as_complex_copy, {b.in(0)})}; }

Values alias(Builder& b) { return {b.in(0)}; }
Values detach(Builder& b) { return {b.in(0)}; }
Values lift_fresh(Builder& b) { return {b.in(0)}; }
Values pin_memory(Builder& b) { return {b.in(0)}; }
Values contiguous(Builder& b) { return converted(b); }
Values to_device(Builder& b) { return converted(b); }
Values to_dtype(Builder& b) { return converted(b); }
Values to_dtype_layout(Builder& b) { return converted(b); }
Values to_other(Builder& b) { return converted(b); }
Values type_as(Builder& b) { return {b.cast(b.in(0), b.out().dtype)}; }

// The start is data: an index for each element of the piece.
Values narrow_tensor(Builder& b) {
  Value* x = b.in(0);
  Value* start = b.in(2);
  if (start->rank() != 0 || !is_integral(start->dtype()) || start->dtype() == DType::kBool) {
    return b.unsupported("start must be an integer tensor of rank 0");
  }
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  Value* from = b.cast(start, DType::kInt64);
  from = b.where(b.lt(from, 0), b.add(from, b.argument(b.size(x, dim))), from);
  return {b.call(Op::index_select, {x, dim, b.add(b.iota(b.dim(3)), from)})};
}

namespace {

// The elements in row-major order in another shape; zeros where there are none.
Values resized(Builder& b, const Dims& sizes) {
  Value* x = b.in(0);
  const std::optional<int64_t> from = numel(x->sizes()).known(), to = numel(sizes).known();
  if (!from || !to || *to < 0) {
    return b.unsupported("sizes that are not known");
  }
  Value* flat = b.view(x, {Dim(*from)});
  if (*to < *from) {
    flat = b.narrow(flat, 0, 0, *to);
  } else if (*to > *from) {
    flat = b.cat({flat, b.full({Dim(*to - *from)}, Scalar::of_int(0), x->dtype())}, 0);
  }
  return {b.view(flat, sizes)};
}

}  // namespace

Values resize_(Builder& b) { return resized(b, b.dims(1)); }
Values resize_as_(Builder& b) { return resized(b, b.in(1)->sizes()); }

}  // namespace cresset::passes::decompositions
