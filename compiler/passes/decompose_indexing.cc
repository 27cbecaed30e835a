// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/passes/decompositions.h"
#include "ops/promotion.h"

// Joins, pads, and operators that pick or place elements by index.
namespace cresset::passes::decompositions {

namespace {

Values joined(Builder& b, int64_t dim, size_t rank) {
  Values parts;
  for (Value* x : b.tensors(0)) {
    if (x->rank() == 0 && rank > 0) {
      x = b.view(x, {1});
    }
    if (rank >= 2 && x->rank() == 1) {
      x = b.view(x, rank == 2 ? Dims{1, b.size(x, 0)} : Dims{1, b.size(x, 0), 1});
    } else if (rank == 3 && x->rank() == 2) {
      x = b.unsqueeze(x, 2);
    }
    parts.push_back(x);
  }
  return {b.cat(parts, dim)};
}

// None for the dimensions before `dim`, then the index.
Argument index_at(int64_t dim, Value* index) {
  ArgumentList list(static_cast<size_t>(dim), Argument());
  list.push_back(index);
  return list;
}

// A 1-d index for a tensor's dimension `i`, and that dimension.
Value* flat_index(Builder& b, size_t i) {
  Value* index = b.in(i);
  return index->rank() == 0 ? b.view(index, {1}) : index;
}

Values put_along(Builder& b, Value* source, bool accumulate) {
  Value* x = b.in(0);
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  if (x->rank() == 0) {
    Value* y =
        b.call(Op::index_put, {b.view(x, {1}), index_at(0, flat_index(b, 2)), source, accumulate});
    return {b.view(y, {})};
  }
  return {b.call(Op::index_put, {x, index_at(dim, flat_index(b, 2)), source, accumulate})};
}

// An index along one dimension, repeated over all others.
Value* spread_index(Builder& b, Value* index, const Value* like, int64_t dim) {
  Dims sizes(like->rank(), Dim(1));
  if (!sizes.empty()) {
    sizes[static_cast<size_t>(dim)] = numel(index->sizes());
  }
  return b.expand(b.view(index, sizes), like->sizes());
}

}  // namespace

Values stack(Builder& b) { return {b.stack(b.tensors(0), b.integer(1))}; }
Values vstack(Builder& b) { return joined(b, 0, 2); }
Values dstack(Builder& b) { return joined(b, 2, 3); }
Values hstack(Builder& b) {
  const Values parts = b.tensors(0);
  return joined(b, !parts.empty() && parts[0]->rank() > 1 ? 1 : 0, 1);
}
Values column_stack(Builder& b) {
  Values parts;
  for (Value* x : b.tensors(0)) {
    parts.push_back(x->rank() < 2 ? b.view(x, {numel(x->sizes()), 1}) : x);
  }
  return {b.cat(parts, 1)};
}
Values cartesian_prod(Builder& b) {
  const Values vectors = b.tensors(0);
  if (vectors.size() == 1) {
    return {vectors[0]};
  }
  Dims grid;
  for (const Value* x : vectors) {
    grid.push_back(b.size(x, 0));
  }
  Values columns;
  for (size_t i = 0; i < vectors.size(); ++i) {
    Dims sizes(vectors.size(), Dim(1));
    sizes[i] = grid[i];
    columns.push_back(b.view(b.expand(b.view(vectors[i], sizes), grid), {numel(grid), 1}));
  }
  return {b.cat(columns, 1)};
}

namespace {

Values grid_of(Builder& b, bool swapped) {
  Values results;
  const Values vectors = b.tensors(0);
  for (size_t i = 0; i < vectors.size(); ++i) {
    const Dims& out = b.out(i).sizes;
    const size_t at = swapped && i < 2 && vectors.size() > 1 ? 1 - i : i;
    Dims sizes(out.size(), Dim(1));
    sizes[at] = numel(vectors[i]->sizes());
    results.push_back(b.expand(b.view(vectors[i], sizes), out));
  }
  return results;
}

}  // namespace

Values meshgrid(Builder& b) { return grid_of(b, false); }
Values meshgrid_indexing(Builder& b) { return grid_of(b, b.node().arg(1).string() == "xy"); }

Values block_diag(Builder& b) {
  Values rows;
  Dim before(0);
  const Dim width = b.out().sizes[1];
  for (Value* x : b.tensors(0)) {
    Value* block = x->rank() == 2 ? x : b.view(x, {1, numel(x->sizes())});
    const Dim right = width - before - b.size(block, 1);
    rows.push_back(b.call(Op::constant_pad_nd,
                          {block, ArgumentList{b.argument(before), b.argument(right), 0, 0}, 0}));
    before = before + b.size(block, 1);
  }
  return {b.cat(rows, 0)};
}

Values tile(Builder& b) {
  Value* x = b.in(0);
  Dims repeats = b.dims(1);
  if (repeats.size() < x->rank()) {
    repeats.insert(repeats.begin(), x->rank() - repeats.size(), Dim(1));
  }
  return {b.typed(Op::repeat, {x, b.arguments(repeats)}, {x->dtype(), b.out().sizes, {}})};
}
Values repeat(Builder& b) {
  Value* x = b.in(0);
  const Dims repeats = b.dims(1);
  Dims split, expanded;
  const size_t added = repeats.size() - std::min(repeats.size(), x->rank());
  for (size_t d = 0; d < repeats.size(); ++d) {
    const Dim size = d < added ? Dim(1) : x->sizes()[d - added];
    split.insert(split.end(), {Dim(1), size});
    expanded.insert(expanded.end(), {repeats[d], size});
  }
  return {b.view(b.expand(b.view(x, split), expanded), b.out().sizes)};
}
Values repeat_interleave_self_int(Builder& b) {
  Value* x = b.in(0);
  if (!b.has(2)) {
    x = b.view(x, {numel(x->sizes())});
  }
  const size_t dim = b.has(2) ? b.axis(2, x->rank()) : 0;
  Dims expanded = x->sizes();
  expanded.insert(expanded.begin() + static_cast<int64_t>(dim) + 1, b.dim(1));
  Value* y = b.expand(b.unsqueeze(x, static_cast<int64_t>(dim) + 1), expanded);
  return {b.view(y, b.out().sizes)};
}
Values repeat_interleave_self_tensor(Builder& b) {
  Value* x = b.in(0);
  if (!b.has(2)) {
    x = b.view(x, {numel(x->sizes())});
  }
  const int64_t dim = b.has(2) ? static_cast<int64_t>(b.axis(2, x->rank())) : 0;
  const Dim total = b.size(b.node().result(), dim);
  Value* repeats = b.expand(flat_index(b, 1), {b.size(x, dim)});
  Value* index = b.typed(Op::repeat_interleave_tensor, {repeats}, {DType::kInt64, {total}, {}});
  return {b.call(Op::index_select, {x, dim, index})};
}

Values index_copy(Builder& b) {
  Value* source = b.in(3);
  return put_along(b, source->rank() == 0 ? b.view(source, {1}) : source, false);
}
Values index_fill_int_scalar(Builder& b) {
  return put_along(b, b.scalar(b.node().arg(3).scalar(), b.in(0)->dtype()), false);
}
Values index_fill_int_tensor(Builder& b) {
  return put_along(b, b.cast(b.in(3), b.in(0)->dtype()), false);
}
Values index_add(Builder& b) {
  Value* source = b.in(3);
  source = source->rank() == 0 ? b.view(source, {1}) : source;
  const Argument& alpha = b.node().arg(4);
  return put_along(b, alpha == Argument(1) ? source : b.mul(source, alpha), true);
}
Values index_reduce(Builder& b) {
  Value* x = b.in(0);
  Value* source = b.in(3);
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  return {b.call(Op::scatter_reduce_two, {x, dim, spread_index(b, b.in(2), source, dim), source,
                                          b.node().arg(4), b.node().arg(5)})};
}
Values index_select(Builder& b) {
  Value* x = b.in(0);
  if (x->rank() == 0) {
    return {b.view(b.call(Op::index_tensor, {b.view(x, {1}), index_at(0, flat_index(b, 2))}),
                   b.out().sizes)};
  }
  const int64_t dim = static_cast<int64_t>(b.axis(1, x->rank()));
  return {b.call(Op::index_tensor, {x, index_at(dim, flat_index(b, 2))})};
}
Values index_put_(Builder& b) { return {b.call(Op::index_put, b.node().args())}; }

Values masked_fill_scalar(Builder& b) {
  return {b.where(b.in(1), b.scalar(b.node().arg(2).scalar(), b.in(0)->dtype()), b.in(0))};
}
Values masked_fill_tensor(Builder& b) {
  return {b.where(b.in(1), b.cast(b.in(2), b.in(0)->dtype()), b.in(0))};
}
Values take(Builder& b) {
  Value* x = b.in(0);
  return {b.call(Op::index_tensor, {b.view(x, {numel(x->sizes())}), index_at(0, b.in(1))})};
}
Values put(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.call(Op::index_put, {b.view(x, {numel(x->sizes())}), index_at(0, b.in(1)),
                                    b.view(b.in(2), b.in(1)->sizes()), b.flag(3)});
  return {b.view(y, x->sizes())};
}
Values take_along_dim(Builder& b) {
  Value* x = b.in(0);
  Value* index = b.in(1);
  if (!b.has(2)) {
    return {b.call(Op::gather,
                   {b.view(x, {numel(x->sizes())}), 0, b.view(index, {numel(index->sizes())})})};
  }
  const size_t dim = b.axis(2, x->rank());
  Dims from = x->sizes(), at = index->sizes();
  for (size_t d = 0; d < from.size() && d < at.size(); ++d) {
    if (d != dim) {
      from[d] = at[d] = from[d] == Dim(1) ? at[d] : from[d];
    }
  }
  index = b.where(b.lt(index, 0), b.add(index, b.argument(b.size(x, static_cast<int64_t>(dim)))),
                  index);
  return {b.call(Op::gather, {b.expand(x, from), static_cast<int64_t>(dim), b.expand(index, at)})};
}
Values scatter_reduce(Builder& b) {
  const bool sums = b.node().arg(4).string() == "add";
  return {b.call(Op::scatter_reduce_two,
                 {b.in(0), b.integer(1), b.in(2), b.in(3), sums ? "sum" : "prod", true})};
}
Values scatter_value_reduce(Builder& b) {
  const bool sums = b.node().arg(4).string() == "add";
  Value* source = b.full(b.in(2)->sizes(), b.node().arg(3).scalar(), b.in(0)->dtype());
  return {b.call(Op::scatter_reduce_two,
                 {b.in(0), b.integer(1), b.in(2), source, sums ? "sum" : "prod", true})};
}
Values scatter_value(Builder& b) {
  Value* source = b.full(b.in(2)->sizes(), b.node().arg(3).scalar(), b.in(0)->dtype());
  return {b.call(Op::scatter_src, {b.in(0), b.integer(1), b.in(2), source})};
}
Values one_hot(Builder& b) {
  const Dim classes = b.out().sizes.back();
  Value* index = b.unsqueeze(b.in(0), -1);
  return {b.cast(b.eq(index, b.iota(classes)), DType::kInt64)};
}
Values select_scatter(Builder& b) {
  const int64_t dim = static_cast<int64_t>(b.axis(2, b.in(0)->rank()));
  const Dim index = b.dim(3);
  if (!index.is_known()) {
    return b.unsupported("the index must be a number");
  }
  const int64_t start = *index.known();
  return {b.call(Op::slice_scatter, {b.in(0), b.unsqueeze(b.in(1), dim), dim, start,
                                     start == -1 ? Argument() : Argument(start + 1), 1})};
}

namespace {

// The elements of x where the 0/1 mask of two dimensions is true, those of y elsewhere.
Value* on_diagonal(Builder& b, const Dim& rows, const Dim& columns, int64_t offset) {
  Value* row = b.view(b.iota(rows), {rows, 1});
  Value* column = b.view(b.iota(columns), {1, columns});
  return b.eq(offset == 0 ? row : b.add(row, offset), column);
}

// Places the last dimension of x on the diagonal of two new last dimensions of this size.
Value* embedded(Builder& b, Value* x, int64_t offset, const Dim& rows, const Dim& columns) {
  const Dim length = b.size(x, -1);
  const int64_t shift = std::abs(offset);
  // Row i holds element i (or i - shift below the diagonal) at every column; the mask keeps one.
  Value* column = b.unsqueeze(x, -1);
  const Dim missing = rows - length;
  if (!(missing == Dim(0))) {
    Argument before = offset < 0 ? Argument(shift) : Argument(0);
    Argument after = b.argument(offset < 0 ? missing - Dim(shift) : missing);
    column = b.call(Op::constant_pad_nd, {column, ArgumentList{0, 0, before, after}, 0});
  }
  Dims sizes = column->sizes();
  sizes.back() = columns;
  return b.where(on_diagonal(b, rows, columns, offset), b.expand(column, sizes), 0);
}

}  // namespace

Values diag_embed(Builder& b) {
  Value* x = b.in(0);
  const int64_t offset = b.integer(1);
  const Dim side = b.size(x, -1) + std::abs(offset);
  Value* y = embedded(b, x, offset, side, side);
  const int64_t rank = static_cast<int64_t>(y->rank());
  int64_t dim1 = static_cast<int64_t>(b.axis(2, y->rank()));
  int64_t dim2 = static_cast<int64_t>(b.axis(3, y->rank()));
  Ints order(y->rank(), -1);
  order[static_cast<size_t>(dim1)] = rank - 2;
  order[static_cast<size_t>(dim2)] = rank - 1;
  int64_t next = 0;
  for (int64_t& d : order) {
    d = d < 0 ? next++ : d;
  }
  return {b.permute(y, order)};
}
Values diagflat(Builder& b) {
  Value* x = b.view(b.in(0), {numel(b.in(0)->sizes())});
  const Dim side = b.size(x, 0) + std::abs(b.integer(1));
  return {embedded(b, x, b.integer(1), side, side)};
}
Values diag(Builder& b) {
  Value* x = b.in(0);
  if (x->rank() == 1) {
    return diagflat(b);
  }
  return {b.typed(Op::diagonal_copy, {x, b.integer(1), 0, 1}, b.out())};
}
Values diagonal_scatter(Builder& b) {
  Value* x = b.in(0);
  const int64_t rank = static_cast<int64_t>(x->rank());
  const int64_t dim1 = static_cast<int64_t>(b.axis(3, x->rank()));
  const int64_t dim2 = static_cast<int64_t>(b.axis(4, x->rank()));
  Ints order, inverse(x->rank());
  for (int64_t d = 0; d < rank; ++d) {
    if (d != dim1 && d != dim2) {
      order.push_back(d);
    }
  }
  order.insert(order.end(), {dim1, dim2});
  for (size_t i = 0; i < order.size(); ++i) {
    inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  Value* last = b.permute(x, order);
  const Dim rows = b.size(last, -2);
  const Dim columns = b.size(last, -1);
  Value* placed = embedded(b, b.in(1), b.integer(2), rows, columns);
  Value* y = b.where(on_diagonal(b, rows, columns, b.integer(2)), placed, last);
  return {b.permute(y, inverse)};
}
Values as_strided_scatter(Builder& b) {
  Value* x = b.in(0);
  const std::optional<int64_t> total = numel(x->sizes()).known();
  if (!total) {
    return b.unsupported("the sizes must be known");
  }
  // The places of the elements, found the way the elements are.
  Value* places = b.call(Op::as_strided_copy,
                         {b.iota(*total), b.node().arg(2), b.node().arg(3), b.node().arg(4)});
  const Dim count = numel(places->sizes());
  Value* y = b.call(Op::index_put, {b.view(x, {*total}), index_at(0, b.view(places, {count})),
                                    b.view(b.in(1), {count}), false});
  return {b.view(y, x->sizes())};
}

namespace {

Values padded(Builder& b, const std::string& mode, const Argument& value) {
  Value* x = b.in(0);
  const Argument& list = b.node().arg(1);
  if (mode == "constant") {
    return {b.call(Op::constant_pad_nd, {x, list, value.is_none() ? Argument(0) : value})};
  }
  const size_t n = list.list().size() / 2;
  if (n < 1 || n > 3) {
    return b.unsupported("pads of " + std::to_string(n) + " dimensions");
  }
  if (mode == "circular") {
    const Ints pad = b.ints(1);
    for (size_t i = 0; i < n; ++i) {  // the last dimension comes first
      const int64_t dim = static_cast<int64_t>(x->rank() - 1 - i);
      const int64_t cut_left = std::max<int64_t>(-pad[2 * i], 0);
      const int64_t cut_right = std::max<int64_t>(-pad[2 * i + 1], 0);
      const Dim size = b.size(x, dim) - Dim(cut_left + cut_right);
      x = b.narrow(x, dim, cut_left, size);
      Values parts = {x};
      if (pad[2 * i] > 0) {
        parts.insert(parts.begin(), b.narrow(x, dim, size - pad[2 * i], pad[2 * i]));
      }
      if (pad[2 * i + 1] > 0) {
        parts.push_back(b.narrow(x, dim, 0, pad[2 * i + 1]));
      }
      x = b.cat(parts, dim);
    }
    return {x};
  }
  const Op reflection[] = {Op::reflection_pad1d, Op::reflection_pad2d, Op::reflection_pad3d};
  const Op replication[] = {Op::replication_pad1d, Op::replication_pad2d, Op::replication_pad3d};
  return {b.call(mode == "reflect" ? reflection[n - 1] : replication[n - 1], {x, list})};
}

}  // namespace

Values pad(Builder& b) { return padded(b, b.node().arg(2).string(), b.node().arg(3)); }
Values _pad_enum(Builder& b) {
  const char* const modes[] = {"constant", "reflect", "replicate", "circular"};
  const int64_t mode = b.integer(2);
  return mode < 0 || mode > 3 ? b.unsupported("unknown mode")
                              : padded(b, modes[mode], b.node().arg(3));
}
Values _pad_circular(Builder& b) { return padded(b, "circular", Argument()); }

Values pixel_shuffle(Builder& b) {
  Value* x = b.in(0);
  const int64_t r = b.integer(1);
  const size_t rank = x->rank();
  Dims lead(x->sizes().begin(), x->sizes().end() - 3);
  const Dim channels = ir::floor_div(b.size(x, -3), r * r);
  Dims split = lead;
  split.insert(split.end(), {channels, r, r, b.size(x, -2), b.size(x, -1)});
  const int64_t n = static_cast<int64_t>(rank) - 3;
  Ints order = counted(static_cast<size_t>(n));
  order.insert(order.end(), {n, n + 3, n + 1, n + 4, n + 2});
  return {b.view(b.permute(b.view(x, split), order), b.out().sizes)};
}
Values pixel_unshuffle(Builder& b) {
  Value* x = b.in(0);
  const int64_t r = b.integer(1);
  Dims split(x->sizes().begin(), x->sizes().end() - 2);
  const int64_t n = static_cast<int64_t>(x->rank()) - 3;
  split.insert(split.end(),
               {ir::floor_div(b.size(x, -2), r), r, ir::floor_div(b.size(x, -1), r), r});
  Ints order = counted(static_cast<size_t>(n));
  order.insert(order.end(), {n, n + 2, n + 4, n + 1, n + 3});
  return {b.view(b.permute(b.view(x, split), order), b.out().sizes)};
}
Values channel_shuffle(Builder& b) {
  Value* x = b.in(0);
  const Dim groups = b.dim(1);
  Dims split = {b.size(x, 0), groups, ir::floor_div(b.size(x, 1), groups)};
  split.insert(split.end(), x->sizes().begin() + 2, x->sizes().end());
  return {b.view(b.transpose(b.view(x, split), 1, 2), x->sizes())};
}
Values rot90(Builder& b) {
  Value* x = b.in(0);
  const int64_t turns = ((b.integer(1) % 4) + 4) % 4;
  const std::vector<size_t> dims = b.axes(2, x->rank());
  if (dims.size() != 2) {
    return b.unsupported("a plane has two dimensions");
  }
  const int64_t first = static_cast<int64_t>(dims[0]);
  const int64_t second = static_cast<int64_t>(dims[1]);
  switch (turns) {
    case 1:
      return {b.transpose(b.flip(x, {second}), first, second)};
    case 2:
      return {b.flip(x, {first, second})};
    case 3:
      return {b.transpose(b.flip(x, {first}), first, second)};
    default:
      return {x};
  }
}
Values fliplr(Builder& b) { return {b.flip(b.in(0), {1})}; }
Values flipud(Builder& b) {
  return b.in(0)->rank() == 0 ? b.unsupported("no dimension") : Values{b.flip(b.in(0), {0})};
}
Values roll(Builder& b) {
  Value* x = b.in(0);
  const Ints shifts = b.ints(1);
  const bool flat = !b.has(2) || b.ints(2).empty();
  if (flat) {
    x = b.view(x, {numel(x->sizes())});
  }
  const Ints dims = flat ? Ints{0} : b.ints(2);
  for (size_t i = 0; i < dims.size() && i < shifts.size(); ++i) {
    const std::optional<int64_t> size = b.size(x, dims[i]).known();
    if (!size) {
      return b.unsupported("the size must be known");
    }
    const int64_t shift = *size == 0 ? 0 : ((shifts[i] % *size) + *size) % *size;
    if (shift != 0) {
      x = b.cat(
          {b.narrow(x, dims[i], *size - shift, shift), b.narrow(x, dims[i], 0, *size - shift)},
          dims[i] < 0 ? dims[i] + static_cast<int64_t>(x->rank()) : dims[i]);
    }
  }
  return {b.view(x, b.out().sizes)};
}
Values argwhere(Builder& b) { return {b.typed(Op::nonzero, {b.in(0)}, b.out())}; }

namespace {

// A number as a 0-d tensor of the dtype in which it is compared to `other`.
Value* number_beside(Builder& b, size_t i, Value* other) {
  const Argument& given = b.node().arg(i);
  if (!given.is_number()) {
    return b.fail("the number must be known");
  }
  const Scalar number = given.scalar();
  return b.scalar(number, ops::ResultType().add(other->dtype(), 1).add(number).get());
}

// Whether the elements of x are among `tests`: their places in it, sorted, hold them.
Value* is_among(Builder& b, Value* x, Value* tests, bool invert) {
  const Dim count = numel(tests->sizes());
  Value* sorted = b.calls(Op::sort, {b.view(tests, {count}), 0, false})[0];
  // NaN, which is at the end and equals nothing, would lead the search astray.
  Value* keys =
      is_floating(sorted->dtype()) ? b.where(b.unary(Op::isnan, sorted), INFINITY, sorted) : sorted;
  Value* places = b.call(Op::searchsorted_tensor, {keys, x, false, false, Argument(), Argument()});
  // One element more, so that each place has one.
  Value* held = b.cat({sorted, b.full({1}, Scalar::of_int(0), sorted->dtype())}, 0);
  Value* at = b.call(Op::index_select, {held, 0, b.view(places, {numel(x->sizes())})});
  Value* found =
      b.call(Op::logical_and, {b.eq(b.view(at, x->sizes()), x), b.lt(places, b.argument(count))});
  return invert ? b.logical_not(found) : found;
}

}  // namespace

Values isin_tensor_tensor(Builder& b) { return {is_among(b, b.in(0), b.in(1), b.flag(3))}; }
Values isin_scalar_tensor(Builder& b) {
  return {is_among(b, number_beside(b, 0, b.in(1)), b.in(1), b.flag(3))};
}
Values isin_tensor_scalar(Builder& b) {
  return {b.flag(3) ? b.ne(b.in(0), b.node().arg(1)) : b.eq(b.in(0), b.node().arg(1))};
}
Values fft_fftshift(Builder& b) {
  Value* x = b.in(0);
  const Ints dims = b.has(1) ? b.ints(1) : counted(x->rank());
  Ints shifts;
  for (const int64_t d : dims) {
    shifts.push_back(b.size(x, d).known().value_or(0) / 2);
  }
  return {b.call(Op::roll, {x, Argument::ints(shifts), Argument::ints(dims)})};
}
Values fft_ifftshift(Builder& b) {
  Value* x = b.in(0);
  const Ints dims = b.has(1) ? b.ints(1) : counted(x->rank());
  Ints shifts;
  for (const int64_t d : dims) {
    shifts.push_back((b.size(x, d).known().value_or(0) + 1) / 2);
  }
  return {b.call(Op::roll, {x, Argument::ints(shifts), Argument::ints(dims)})};
}
namespace {

// (weight, indices, offsets, scale, mode, sparse, per_sample_weights, include_last [, padding])

// The result, the bag of each index, the sizes of bags, and which row gave the largest elements. Of
// the last three PyTorch fills in what its gradient needs for the mode.
Values bags(Builder& b, const Argument& padding) {
  Value* weight = b.in(0);
  Value* indices = b.in(1);
  Value* offsets = b.in(2);
  const int64_t mode = b.integer(4);  // 0 sum, 1 mean, 2 max
  const Dim count = b.out().sizes[0];
  offsets = b.narrow(offsets, 0, 0, count);
  const Dim n = b.size(indices, 0);
  // How many offsets lie at or before an index's place.
  Value* bag = b.sub(b.sum(b.ge(b.view(b.iota(n), {n, 1}), offsets), {1}, false), 1);
  Value* rows = b.widened(b.call(Op::embedding, {weight, indices}));
  const DType dtype = rows->dtype();
  if (b.has(6)) {
    rows = b.mul(rows, b.unsqueeze(b.widened(b.in(6)), 1));
  }
  Value* kept = b.full({n}, 1.0, dtype);
  if (padding.is_int() && padding.integer() >= 0) {
    Value* real = b.ne(indices, padding);
    kept = b.cast(real, dtype);
    rows = b.where(b.unsqueeze(real, 1), rows, mode == 2 ? -INFINITY : 0.0);
  }
  Value* zeros = b.full({count, b.size(weight, 1)}, 0.0, dtype);
  Value* sizes = b.full({count}, 0.0, dtype);
  if (mode != 0) {
    sizes = b.call(Op::index_put, {sizes, ArgumentList{bag}, kept, true});
  }
  Value* result = nullptr;
  Value* largest = nullptr;
  if (mode == 2) {
    Value* index = b.expand(b.unsqueeze(bag, 1), rows->sizes());
    result = b.call(Op::scatter_reduce_two, {zeros, 0, index, rows, "amax", false});
    result = b.where(b.unsqueeze(b.gt(sizes, 0), 1), result, 0.0);
    Value* own = b.call(Op::index_select, {result, 0, bag});
    Value* places = b.expand(b.unsqueeze(b.cast(indices, DType::kInt64), 1), rows->sizes());
    Value* none = b.full(zeros->sizes(), Scalar::of_int(0), DType::kInt64);
    largest = b.call(Op::scatter_reduce_two,
                     {none, 0, index, b.where(b.eq(rows, own), places, 0), "amax", true});
  } else {
    result = b.call(Op::index_put, {zeros, ArgumentList{bag}, rows, true});
  }
  if (mode == 1) {
    result = b.div(result, b.unsqueeze(b.clamp(sizes, 1.0, Argument()), 1));
  }
  Values results = {result};
  if (b.node().results().size() == 4) {
    // Where offsets has one more element than there are bags, it counts as an empty bag.
    const auto lengthened = [&](Value* counts, size_t i) {
      const Dim wanted = b.size(b.node().result(i), 0);
      return wanted == count ? counts
                             : b.cat({counts, b.full({wanted - count}, 0.0, counts->dtype())}, 0);
    };
    const bool kept_bags = !(numel(b.out(1).sizes) == Dim(0)) || n == Dim(0);
    results.push_back(kept_bags ? bag : b.narrow(bag, 0, 0, 0));
    results.push_back(lengthened(sizes, 2));
    results.push_back(mode == 2 ? largest : lengthened(sizes, 3));
  }
  return results;
}

}  // namespace

Values embedding_bag(Builder& b) { return bags(b, Argument()); }
Values embedding_bag_padding_idx(Builder& b) {
  const Argument& padding = b.node().arg(8);
  const std::optional<int64_t> rows = b.size(b.in(0), 0).known();
  // Here a negative number counts from the back.
  return bags(b, padding.is_int() && padding.integer() < 0 && rows
                     ? Argument(padding.integer() + *rows)
                     : padding);
}
Values _embedding_bag(Builder& b) { return bags(b, b.node().arg(8)); }

namespace {

// bucketize's (values, boundaries, *, out_int32, right), the values as a tensor.
Values buckets(Builder& b, Value* values) {
  Value* bounds = b.in(1);
  if (bounds->rank() != 1) {
    return {b.fail("the boundaries have rank " + std::to_string(bounds->rank()) + ", expected 1")};
  }
  return {b.call(Op::searchsorted_tensor,
                 {bounds, values, b.flag(2), b.flag(3), Argument(), Argument()})};
}

}  // namespace

Values bucketize_tensor(Builder& b) { return buckets(b, b.in(0)); }
Values bucketize_scalar(Builder& b) { return buckets(b, number_beside(b, 0, b.in(1))); }

// For targets without the kernel: a value's place is how many bounds lie before it, for NaN all.
Values searchsorted_tensor(Builder& b) {
  Value* bounds = b.in(0);
  if (b.has(5)) {
    bounds = b.call(Op::gather, {bounds, static_cast<int64_t>(bounds->rank()) - 1, b.in(5)});
  }
  const bool right = b.flag(3) || (b.has(4) && b.node().arg(4).string() == "right");
  Value* row = bounds->rank() == 1 ? bounds : b.unsqueeze(bounds, -2);
  Value* column = b.unsqueeze(b.in(1), -1);
  Value* places = b.sum(b.logical_not(right ? b.gt(row, column) : b.ge(row, column)), {-1}, false);
  return {b.flag(2) ? b.cast(places, DType::kInt32) : places};
}
Values searchsorted_scalar(Builder& b) {
  return {b.call(Op::searchsorted_tensor, {b.in(0), number_beside(b, 1, b.in(0)), b.flag(2),
                                           b.flag(3), b.node().arg(4), b.node().arg(5)})};
}

// Rows that are looked up and whose norm is above max_norm are scaled down to it.
Values embedding_renorm_(Builder& b) {
  Value* table = b.widened(b.in(0));
  Value* indices = b.in(1);
  const Dim rows = b.size(table, 0);
  Value* flat = b.cast(b.view(indices, {numel(indices->sizes())}), DType::kInt64);
  Value* ones = b.full({numel(indices->sizes())}, 1.0, DType::kFloat32);
  Value* seen =
      b.gt(b.call(Op::index_add, {b.full({rows}, 0.0, DType::kFloat32), 0, flat, ones}), 0);
  Value* norms = b.call(Op::linalg_vector_norm, {table, b.number(3), Argument::ints({1}), true});
  const double most = b.number(2);
  Value* scale = b.mul(b.div(1.0, b.add(norms, 1e-7)), most);
  Value* shrinks = b.call(Op::logical_and, {b.unsqueeze(seen, 1), b.gt(norms, most)});
  return {b.where(shrinks, b.mul(table, scale), table)};
}

// Sums, means ... of consecutive rows, which lengths or offsets divide into segments: for each
// index of the dimensions before `axis` its own.
Values segment_reduce(Builder& b) {
  Value* x = b.widened(b.in(0));
  Value* division = b.has(2) ? b.in(2) : b.in(4);
  if (division == nullptr || b.has(3) || x->rank() == 0) {
    return b.unsupported("lengths or offsets must be given");
  }
  const size_t axis = b.axis(5, x->rank());
  if (division->rank() != axis + 1) {
    return b.unsupported("lengths must have a dimension for each up to the axis");
  }
  const std::string reduce = b.node().arg(1).string();
  Dims sizes = x->sizes();
  const auto at = sizes.begin() + static_cast<int64_t>(axis);
  const Dim outer = numel({sizes.begin(), at}), rows = *at, inner = numel({at + 1, sizes.end()});
  const Dim given = b.size(division, -1);
  const Dim count = given - Dim(b.has(2) ? 0 : 1);
  x = b.view(x, {outer, rows, inner});
  division = b.view(division, {outer, given});
  Value* ends = b.has(2) ? b.call(Op::cumsum, {division, 1}) : b.narrow(division, 1, 1, count);
  // The segment of a row: how many end at or before it. One more takes the rows behind the last.
  Value* segment =
      b.sum(b.le(b.view(ends, {outer, 1, count}), b.view(b.iota(rows), {1, rows, 1})), {2}, false);
  Value* index = b.expand(b.view(segment, {outer, rows, 1}), x->sizes());
  const Dims padded = {outer, count + 1, inner};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double otherwise = reduce == "prod"  ? 1
                           : reduce == "max" ? -kInfinity
                           : reduce == "min" ? kInfinity
                                             : 0;
  Value* start = b.full(padded, b.has(7) ? b.number(7) : otherwise, x->dtype());
  const char* const how = reduce == "prod"  ? "prod"
                          : reduce == "max" ? "amax"
                          : reduce == "min" ? "amin"
                                            : "sum";
  Value* y = b.call(Op::scatter_reduce_two, {start, 1, index, x, how, true});
  if (reduce == "mean") {
    Value* ones = b.full(x->sizes(), 1.0, x->dtype());
    Value* sums = b.call(Op::scatter_add, {b.full(padded, 0.0, x->dtype()), 1, index, ones});
    y = b.has(7) ? b.div(y, b.clamp(sums, 1.0, Argument())) : b.div(y, sums);
  }
  *at = count;
  return {b.view(b.narrow(y, 1, 0, count), sizes)};
}

}  // namespace cresset::passes::decompositions
