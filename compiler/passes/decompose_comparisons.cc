// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/ir/infer.h"
#include "compiler/passes/decompositions.h"

// Questions about tensors that are answered with a number.
namespace cresset::passes::decompositions {

namespace {

// A number that is known, as a value.
Value* number_value(Builder& b, int64_t number) {
  return b.typed_calls(Op::prim_add, {number, 0}, {Type::of_int(Dim(number))})[0];
}

Value* truth_value(Builder& b, bool truth) {
  Type type;
  type.kind = Type::Kind::kBool;
  return b.typed_calls(Op::prim_eq, {1, truth ? 1 : 0}, {type})[0];
}

// Whether all elements of a bool tensor hold.
Value* all_hold(Builder& b, Value* holds) {
  Type type;
  type.kind = Type::Kind::kBool;
  return b.typed_calls(Op::_local_scalar_dense, {b.call(Op::all, {holds})}, {type})[0];
}

// Dimensions in the order in which they lie in memory, those of size 1 left out.
std::vector<size_t> counting(const Value* x, const std::vector<uint8_t>& order) {
  std::vector<size_t> result;
  for (const uint8_t d : order) {
    if (!(x->sizes()[d] == Dim(1))) {
      result.push_back(d);
    }
  }
  return result;
}

}  // namespace

Values equal(Builder& b) {
  Value* x = b.in(0);
  Value* y = b.in(1);
  if (x->rank() != y->rank()) {
    return {truth_value(b, false)};
  }
  for (size_t d = 0; d < x->rank(); ++d) {
    if (x->sizes()[d].is_known() && y->sizes()[d].is_known() && !(x->sizes()[d] == y->sizes()[d])) {
      return {truth_value(b, false)};
    }
  }
  return {all_hold(b, b.eq(x, y))};
}

Values allclose(Builder& b) {
  const Node& node = b.node();
  Value* x = b.in(0);
  Value* y = b.in(1);
  if (x->dtype() != y->dtype()) {
    return b.unsupported("two dtypes");
  }
  const ir::Expected<std::vector<Type>> shape =
      ir::infer(ops::op_info(Op::eq_tensor), {node.arg(0), node.arg(1)});
  if (!shape.ok()) {
    return b.unsupported("these shapes");
  }
  return {all_hold(b, b.typed_calls(Op::isclose, node.args(), *shape)[0])};
}

Values sym_stride_int(Builder& b) {
  const Value* x = b.in(0);
  const int64_t rank = static_cast<int64_t>(x->rank());
  const int64_t dim = b.integer(1);
  if (dim < -rank || dim >= rank) {
    return {b.fail("dim " + std::to_string(dim) + " is out of range for " + std::to_string(rank) +
                   " dimensions")};
  }
  const size_t wanted = static_cast<size_t>(dim < 0 ? dim + rank : dim);
  const std::vector<uint8_t> order = x->tensor().order();
  Dim stride(1);
  for (size_t at = order.size(); at-- > 0 && order[at] != wanted;) {
    const Dim& size = x->sizes()[order[at]];
    stride = stride * (size.is_known() ? Dim(std::max<int64_t>(*size.known(), 1)) : size);
  }
  if (stride.is_known()) {
    return {number_value(b, *stride.known())};
  }
  return {b.typed_calls(Op::prim_add, {b.argument(stride), 0}, {Type::of_int(stride)})[0]};
}

Values sym_storage_offset(Builder& b) { return {number_value(b, 0)}; }

Values sym_is_contiguous(Builder& b) {
  const Value* x = b.in(0);
  const int64_t format = b.integer(1);
  std::vector<uint8_t> wanted;
  for (size_t d = 0; d < x->rank(); ++d) {
    wanted.push_back(static_cast<uint8_t>(d));
  }
  if (format >= 2) {  // channels last
    if (x->rank() != (format == 2 ? 4 : 5)) {
      return {truth_value(b, false)};
    }
    std::rotate(wanted.begin() + 1, wanted.begin() + 2, wanted.end());
  }
  return {truth_value(
      b, numel(x->sizes()) == Dim(0) || counting(x, x->tensor().order()) == counting(x, wanted))};
}

}  // namespace cresset::passes::decompositions
