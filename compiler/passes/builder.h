// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "ops/op.h"

namespace cresset::passes {

using ir::Argument;
using ir::ArgumentList;
using ir::Dim;
using ir::Node;
using ir::TensorType;
using ir::Type;
using ir::Value;
using ops::Op;
using Dims = std::vector<Dim>;
using Values = std::vector<Value*>;
using Ints = std::vector<int64_t>;

// Adds nodes in front of a node, which most often is the one that they replace. The first error
// sticks: later calls do nothing and give a placeholder, so that a rewriting is written without
// checks and the caller looks at `error()` once at its end.
//
// Sizes are Dims throughout. Where an argument needs a size that is not a number, the builder finds
// or makes the int value that holds it.
class Builder {
 public:
  // `before` null: at the end of the graph. New nodes take debug handle and source of `origin`,
  // whose arguments the accessors below read; it may be null.
  Builder(ir::Graph& graph, Node* before, const Node* origin)
      : graph_(graph), before_(before), origin_(origin) {}

  ir::Graph& graph() { return graph_; }
  const ir::Error& error() const { return error_; }
  // Makes the error stick. Returns a placeholder.
  Value* fail(std::string text);
  // Says that this form of the operator cannot be rewritten.
  Values unsupported(const std::string& what);

  // -- The arguments of the node that is rewritten.
  const Node& node() const { return *origin_; }
  // A tensor argument; null where it is None.
  Value* in(size_t i) const;
  bool has(size_t i) const { return !origin_->arg(i).is_none(); }
  int64_t integer(size_t i);
  double number(size_t i);
  bool flag(size_t i) { return integer(i) != 0; }
  Ints ints(size_t i);
  Dims dims(size_t i);
  Dim dim(size_t i);
  Values tensors(size_t i);
  // An int argument that counts dimensions of a tensor of this rank, made non-negative.
  size_t axis(size_t i, size_t rank);
  std::vector<size_t> axes(size_t i, size_t rank);
  // The dtype argument, or `otherwise` where it is None.
  DType dtype(size_t i, DType otherwise) const;
  // The result's type as the model records it.
  const TensorType& out(size_t i = 0) const { return origin_->result(i)->tensor(); }

  // -- Nodes.
  // Results by the row's inference rule. `call` gives the first result.
  Values calls(Op op, std::vector<Argument> args, size_t list_results = 0);
  Value* call(Op op, std::vector<Argument> args);
  // Results with given types, for composites and rows whose sizes depend on data.
  Values typed_calls(Op op, std::vector<Argument> args, std::vector<Type> types);
  Value* typed(Op op, std::vector<Argument> args, TensorType type);

  Value* constant(ir::ConstantPtr constant) { return graph_.add_constant(std::move(constant)); }
  // A 0-d constant.
  Value* scalar(Scalar value, DType dtype);
  Value* scalar(double value, DType dtype) { return scalar(Scalar::of_double(value), dtype); }
  // A 1-d int64 constant.
  Value* int_tensor(const Ints& values);
  Value* full(const Dims& sizes, Scalar value, DType dtype);
  Value* full(const Dims& sizes, double value, DType dtype) {
    return full(sizes, Scalar::of_double(value), dtype);
  }
  // 0, 1, ... count - 1.
  Value* iota(const Dim& count, DType dtype = DType::kInt64);

  // -- Sizes.
  Dim size(const Value* x, int64_t dim) const;
  // A size as an argument: a number, or an int value that is there already or is computed here.
  Argument argument(const Dim& dim);
  Argument arguments(const Dims& dims);

  // -- Elementwise. Operands are tensors, numbers or int values; at least one is a tensor.
  Value* add(Argument a, Argument b);
  Value* sub(Argument a, Argument b);
  Value* mul(Argument a, Argument b);
  Value* div(Argument a, Argument b);
  Value* pow(Argument a, Argument b);
  Value* maximum(Argument a, Argument b);
  Value* minimum(Argument a, Argument b);
  Value* eq(Argument a, Argument b) { return binary(Op::eq_tensor, Op::eq_scalar, a, b); }
  Value* ne(Argument a, Argument b) { return binary(Op::ne_tensor, Op::ne_scalar, a, b); }
  Value* lt(Argument a, Argument b) { return binary(Op::lt_tensor, Op::lt_scalar, a, b); }
  Value* le(Argument a, Argument b) { return binary(Op::le_tensor, Op::le_scalar, a, b); }
  Value* gt(Argument a, Argument b) { return binary(Op::gt_tensor, Op::gt_scalar, a, b); }
  Value* ge(Argument a, Argument b) { return binary(Op::ge_tensor, Op::ge_scalar, a, b); }
  Value* unary(Op op, Value* x) { return call(op, {x}); }
  Value* clamp(Value* x, Argument low, Argument high);
  // Elements of `yes` where the condition holds; numbers take the other operand's dtype.
  Value* where(Value* condition, Argument yes, Argument no);
  // Truth of elements: x != 0 where x is not bool.
  Value* truth(Value* x);
  Value* logical_not(Value* x) { return call(Op::logical_not, {truth(x)}); }

  // -- Dtypes.
  Value* cast(Value* x, DType dtype);
  // f16 and bf16 become f32, integers and bools too: what a formula of several steps computes in.
  Value* widened(Value* x);

  // -- Shapes. Negative dims count from the back.
  Value* view(Value* x, Dims sizes);
  Value* permute(Value* x, Ints dims);
  Value* transpose(Value* x, int64_t a, int64_t b);
  Value* expand(Value* x, const Dims& sizes);
  Value* unsqueeze(Value* x, int64_t dim);
  // Drops dimension `dim`, which must have size 1.
  Value* squeeze(Value* x, int64_t dim);
  Value* select(Value* x, int64_t dim, const Dim& index);
  // Elements [start, start + length) of a dimension.
  Value* narrow(Value* x, int64_t dim, const Dim& start, const Dim& length);
  Value* slice(Value* x, int64_t dim, Argument start, Argument end, const Dim& step,
               const Dim& length);
  Value* cat(const Values& parts, int64_t dim);
  Value* stack(const Values& parts, int64_t dim);
  Value* flip(Value* x, const Ints& dims);

  // -- Products and reductions.
  // Rank 2 or 3 on both sides, equal ranks.
  Value* mm(Value* a, Value* b);
  Value* sum(Value* x, const Ints& dims, bool keepdim);
  Value* mean(Value* x, const Ints& dims, bool keepdim);
  Value* amax(Value* x, const Ints& dims, bool keepdim);
  Value* amin(Value* x, const Ints& dims, bool keepdim);
  Value* softmax(Value* x, int64_t dim);

 private:
  Value* placeholder();
  // The dimension made non-negative; an error where it is out of range.
  size_t checked(int64_t dim, size_t rank);
  Value* binary(Op tensors, Op scalar, Argument a, Argument b);
  bool find_size(const Dim& dim, Argument* found);
  Argument compute(const Dim& dim);
  Value* prim(Op op, Argument a, Argument b, const Dim& value);
  Node* insert(Op op, std::vector<Argument> args, std::vector<Type> types);

  ir::Graph& graph_;
  Node* before_;
  const Node* origin_;
  ir::Error error_;
};

// Product of sizes.
Dim numel(const Dims& sizes);
// 0, 1, ... n - 1.
Ints counted(size_t n, int64_t from = 0);
// Whether an argument is a tensor.
inline bool is_tensor(const Argument& argument) {
  return argument.is_value() && argument.value()->is_tensor();
}

}  // namespace cresset::passes
