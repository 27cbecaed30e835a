// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "compiler/passes/decompositions.h"

// New tensors: their dtype is the recorded one, never a rule's. What PyTorch leaves uninitialised
// is zero.
namespace cresset::passes::decompositions {

namespace {

Values filled(Builder& b, double value) {
  return {b.full(b.out().sizes,
                 is_floating(b.out().dtype) ? Scalar::of_double(value)
                                            : Scalar::of_int(static_cast<int64_t>(value)),
                 b.out().dtype)};
}

Values filled_with(Builder& b, const Argument& value) {
  if (value.is_number()) {
    return {b.full(b.out().sizes, value.scalar(), b.out().dtype)};
  }
  return {b.typed(Op::full, {b.arguments(b.out().sizes), value, b.out().dtype},
                  {b.out().dtype, b.out().sizes, {}})};
}

template <class T>
Value* constant_of(Builder& b, const std::vector<T>& elements, DType dtype, const Dims& sizes) {
  return b.cast(b.constant(ir::make_constant("numbers", {dtype, sizes, {}}, elements.data(),
                                             elements.size() * sizeof(T))),
                b.out().dtype);
}

// `steps` numbers from start to end, counted from both ends as PyTorch does so that both are exact.
template <class T>
std::vector<T> spaced(double start, double end, int64_t steps) {
  std::vector<T> result(static_cast<size_t>(std::max<int64_t>(steps, 0)));
  const T first = static_cast<T>(start);
  const T last = static_cast<T>(end);
  const T step = steps > 1 ? (last - first) / static_cast<T>(steps - 1) : T{0};
  for (int64_t i = 0; i < steps; ++i) {
    result[static_cast<size_t>(i)] =
        i < steps / 2 ? first + step * static_cast<T>(i)
                      : (steps == 1 ? first : last - step * static_cast<T>(steps - 1 - i));
  }
  return result;
}

Values triangle(Builder& b, bool lower) {
  const int64_t rows = b.integer(0);
  const int64_t columns = b.integer(1);
  const int64_t offset = b.integer(2);
  Ints first, second;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      if (lower ? c - r <= offset : c - r >= offset) {
        first.push_back(r);
        second.push_back(c);
      }
    }
  }
  const int64_t count = static_cast<int64_t>(first.size());
  first.insert(first.end(), second.begin(), second.end());
  return {constant_of(b, first, DType::kInt64, {2, count})};
}

Values identity_matrix(Builder& b) {
  const Dim rows = b.dim(0);
  const Dim columns = b.node().schema().args[1].type == ops::TypeTag::kInt ? b.dim(1) : rows;
  if (rows.known().value_or(0) < 0 || columns.known().value_or(0) < 0) {
    return b.unsupported("a negative size");
  }
  return {b.cast(b.eq(b.view(b.iota(rows), {rows, 1}), b.iota(columns)), b.out().dtype)};
}

}  // namespace

Values zeros(Builder& b) { return filled(b, 0); }
Values ones(Builder& b) { return filled(b, 1); }
Values zeros_like(Builder& b) { return filled(b, 0); }
Values ones_like(Builder& b) { return filled(b, 1); }
Values new_zeros(Builder& b) { return filled(b, 0); }
Values new_ones(Builder& b) { return filled(b, 1); }
Values zero(Builder& b) { return filled(b, 0); }
Values empty_memory_format(Builder& b) { return filled(b, 0); }
Values empty_like(Builder& b) { return filled(b, 0); }
Values empty_permuted(Builder& b) {
  const Ints order = b.ints(1);
  Ints sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (order.size() != b.dims(0).size() || sorted != counted(sorted.size())) {
    return b.unsupported("a layout that is no order of the dimensions");
  }
  return filled(b, 0);
}
Values empty_strided(Builder& b) { return filled(b, 0); }
Values new_empty(Builder& b) { return filled(b, 0); }
Values new_empty_strided(Builder& b) { return filled(b, 0); }
Values new_full(Builder& b) { return filled_with(b, b.node().arg(2)); }
Values full_like(Builder& b) { return filled_with(b, b.node().arg(1)); }
Values fill_scalar(Builder& b) { return filled_with(b, b.node().arg(1)); }
Values fill_tensor(Builder& b) { return {b.expand(b.cast(b.in(1), b.out().dtype), b.out().sizes)}; }
Values copy(Builder& b) { return {b.expand(b.cast(b.in(1), b.out().dtype), b.out().sizes)}; }
Values clone(Builder& b) { return {b.in(0)}; }
Values lift_fresh_copy(Builder& b) { return {b.in(0)}; }
Values arange_start(Builder& b) {
  return {b.typed(Op::arange_start_step, {b.node().arg(0), b.node().arg(1), 1, b.out().dtype},
                  b.out())};
}
Values arange(Builder& b) {
  return {b.typed(Op::arange_start_step, {0, b.node().arg(0), 1, b.out().dtype}, b.out())};
}
Values _dim_arange(Builder& b) { return {b.iota(b.size(b.in(0), b.integer(1)))}; }
Values eye(Builder& b) { return identity_matrix(b); }
Values eye_m(Builder& b) { return identity_matrix(b); }
Values tril_indices(Builder& b) { return triangle(b, true); }
Values triu_indices(Builder& b) { return triangle(b, false); }

Values linspace(Builder& b) {
  double start = b.number(0);
  double end = b.number(1);
  const int64_t steps = b.integer(2);
  const DType dtype = b.out().dtype;
  if (is_integral(dtype)) {
    start = std::trunc(start);
    end = std::trunc(end);
    Ints numbers;
    const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
    for (int64_t i = 0; i < steps; ++i) {
      numbers.push_back(static_cast<int64_t>(
          i < steps / 2 ? start + step * static_cast<double>(i)
                        : (steps == 1 ? start : end - step * static_cast<double>(steps - 1 - i))));
    }
    return {constant_of(b, numbers, DType::kInt64, {steps})};
  }
  return {dtype == DType::kFloat64
              ? constant_of(b, spaced<double>(start, end, steps), DType::kFloat64, {steps})
              : constant_of(b, spaced<float>(start, end, steps), DType::kFloat32, {steps})};
}
namespace {

// The same between tensors of one element.
Value* spaced_tensors(Builder& b) {
  const int64_t steps = b.integer(2);
  const DType dtype = b.out().dtype == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    if (b.in(i) != nullptr && b.in(i)->rank() != 0) {
      return b.fail("ends must be tensors of rank 0");
    }
  }
  const auto end_at = [&](size_t i) {
    return b.has(i) && b.in(i) != nullptr ? b.cast(b.in(i), dtype) : b.scalar(b.number(i), dtype);
  };
  Value* start = end_at(0);
  Value* span = b.sub(end_at(1), start);
  Value* at = b.iota(steps, dtype);
  return b.add(b.mul(at, b.div(span, static_cast<double>(std::max<int64_t>(steps - 1, 1)))), start);
}

Values powers_between(Builder& b) { return {b.pow(b.number(3), spaced_tensors(b))}; }

}  // namespace

Values linspace_tensor_tensor(Builder& b) { return {spaced_tensors(b)}; }
Values linspace_tensor_scalar(Builder& b) { return {spaced_tensors(b)}; }
Values linspace_scalar_tensor(Builder& b) { return {spaced_tensors(b)}; }
Values logspace_tensor_tensor(Builder& b) { return powers_between(b); }
Values logspace_tensor_scalar(Builder& b) { return powers_between(b); }
Values logspace_scalar_tensor(Builder& b) { return powers_between(b); }

Values logspace(Builder& b) {
  const int64_t steps = b.integer(2);
  std::vector<double> numbers = spaced<double>(b.number(0), b.number(1), steps);
  for (double& number : numbers) {
    number = std::pow(b.number(3), number);
  }
  if (is_integral(b.out().dtype)) {
    Ints whole(numbers.begin(), numbers.end());
    return {constant_of(b, whole, DType::kInt64, {steps})};
  }
  return {constant_of(b, numbers, DType::kFloat64, {steps})};
}

}  // namespace cresset::passes::decompositions
