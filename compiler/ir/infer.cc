// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/infer.h"

#include "core/message.h"
#include "ops/infer_rules.h"

namespace cresset::ir {

namespace {

// Shows a node's arguments to the inference rules.
class IrInfer {
 public:
  using Dim = ir::Dim;

  IrInfer(const ops::OpInfo& info, const std::vector<Argument>& args, std::vector<Type>* results,
          size_t list_results, Message* message)
      : info_(info),
        args_(args),
        results_(results),
        list_results_(list_results),
        message_(message) {}

  static Optional<int64_t> known(const Dim& dim) {
    const std::optional<int64_t> value = dim.known();
    return value ? Optional<int64_t>(*value) : Optional<int64_t>();
  }

  bool has(size_t i) const { return !args_[i].is_none(); }
  bool is_tensor(size_t i) const { return args_[i].is_value() && args_[i].value()->is_tensor(); }
  DType dtype(size_t i) const { return tensor(args_[i]).dtype; }
  size_t rank(size_t i) const { return tensor(args_[i]).sizes.size(); }
  Dim size(size_t i, size_t d) const { return tensor(args_[i]).sizes[d]; }

  size_t list_size(size_t i) const { return args_[i].is_list() ? args_[i].list().size() : 0; }
  bool item_has(size_t i, size_t k) const { return !args_[i].list()[k].is_none(); }
  DType item_dtype(size_t i, size_t k) const { return tensor(args_[i].list()[k]).dtype; }
  size_t item_rank(size_t i, size_t k) const { return tensor(args_[i].list()[k]).sizes.size(); }
  Dim item_size(size_t i, size_t k, size_t d) const { return tensor(args_[i].list()[k]).sizes[d]; }

  Scalar scalar(size_t i) const {
    if (args_[i].is_value()) {  // a symbolic number: only its category matters
      return args_[i].value()->type.kind == Type::Kind::kFloat  ? Scalar::of_double(0.5)
             : args_[i].value()->type.kind == Type::Kind::kBool ? Scalar::of_bool(true)
                                                                : Scalar::of_int(1);
    }
    return args_[i].is_none() ? Scalar::of_int(0) : args_[i].scalar();
  }
  int64_t integer(size_t i) const { return integer_of(args_[i]); }
  bool boolean(size_t i) const { return integer_of(args_[i]) != 0; }
  bool is_text(size_t i, const char* text) const {
    return args_[i].is_string() && args_[i].string() == text;
  }
  int64_t int_item(size_t i, size_t k) const { return integer_of(args_[i].list()[k]); }
  double double_item(size_t i, size_t k) const { return args_[i].list()[k].scalar().to_double(); }
  Dim dim(size_t i) const { return dim_of(args_[i]); }
  Dim dim_item(size_t i, size_t k) const { return dim_of(args_[i].list()[k]); }
  Optional<DType> dtype_arg(size_t i) const {
    return args_[i].is_dtype() ? Optional<DType>(args_[i].dtype()) : Optional<DType>();
  }
  DType option_dtype(DType otherwise) const {
    const int i = info_.schema.find("dtype");
    return i >= 0 && args_[static_cast<size_t>(i)].is_dtype()
               ? args_[static_cast<size_t>(i)].dtype()
               : otherwise;
  }

  size_t out_list_size(size_t) const { return list_results_; }
  Status set(size_t o, const ops::Dims<Dim>& dims, DType dtype) {
    TensorType type{dtype, {dims.d, dims.d + dims.rank}, {}};
    if (results_->size() <= o) {
      results_->resize(o + 1);
    }
    (*results_)[o] = Type::of(std::move(type));
    return Status::kOk;
  }
  Status set_item(size_t o, size_t k, const ops::Dims<Dim>& dims, DType dtype) {
    return set(o + k, dims, dtype);
  }
  template <class... A>
  Status fail(const char* format, const A&... args) {
    return message_->fail(Status::kInvalidArgument, format, args...);
  }

 private:
  static const TensorType& tensor(const Argument& argument) {
    static const TensorType kEmpty;
    return argument.is_value() ? argument.value()->tensor() : kEmpty;
  }
  static Dim dim_of(const Argument& argument) {
    return argument.is_value()  ? argument.value()->type.value
           : argument.is_none() ? Dim(0)
                                : Dim(argument.integer());
  }
  static int64_t integer_of(const Argument& argument) {
    return dim_of(argument).known().value_or(0);
  }

  const ops::OpInfo& info_;
  const std::vector<Argument>& args_;
  std::vector<Type>* results_;
  size_t list_results_;
  Message* message_;
};

using Rule = Status (*)(IrInfer&);
constexpr Rule kRules[] = {
#define OP(id, name, overload, out, schema, traits, inference, doc) ops::infer::inference<IrInfer>,
#include "ops/op_table.def"
#undef OP
};

// Elementwise results lie in memory as the first tensor of their rank does: no data is reordered.
void keep_layout(const ops::OpInfo& info, const std::vector<Argument>& args,
                 std::vector<Type>* results) {
  if ((info.traits & ops::kElementwise) == 0) {
    return;
  }
  for (const Argument& argument : args) {
    if (argument.is_value() && argument.value()->is_tensor() &&
        argument.value()->rank() == (*results)[0].tensor.sizes.size()) {
      for (Type& result : *results) {
        result.tensor.dim_order = argument.value()->tensor().dim_order;
      }
      return;
    }
  }
}

}  // namespace

Expected<std::vector<Type>> infer(const ops::OpInfo& info, const std::vector<Argument>& args,
                                  size_t list_results) {
  if (info.composite || !ops::is_row(info.op)) {
    return error(Status::kInternal, "no inference for composite " + std::string(info.id));
  }
  std::vector<Argument> full = args;
  for (size_t i = full.size(); i < info.schema.arg_count; ++i) {
    full.push_back(default_argument(info.schema.args[i]));
  }
  std::vector<Type> results;
  MessageBuffer<256> message;
  IrInfer context(info, full, &results, list_results, &message);
  const Status status = kRules[static_cast<size_t>(info.op)](context);
  if (!cresset::ok(status)) {
    return error(status, std::string(info.name) + ": " + message.text());
  }
  if (results.empty()) {
    return error(Status::kInternal, "the sizes of " + std::string(info.id) + " depend on data");
  }
  keep_layout(info, full, &results);
  return results;
}

Expected<Node*> build(Graph& graph, ops::Op op, std::vector<Argument> args, Node* before,
                      const Node* origin, size_t list_results) {
  const ops::OpInfo& info = ops::op_info(op);
  Expected<std::vector<Type>> types = infer(info, args, list_results);
  if (!types.ok()) {
    return types.error();
  }
  Node* node = graph.add_node(info, std::move(args), std::move(*types), before);
  if (origin != nullptr) {
    node->debug_handle = origin->debug_handle;
    node->source = origin->source;
  }
  return node;
}

}  // namespace cresset::ir
