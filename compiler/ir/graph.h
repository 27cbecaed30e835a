// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/ir/dim.h"
#include "core/dtype.h"
#include "core/scalar.h"
#include "ops/op_info.h"

// The compiler's picture of a model: graphs of nodes in execution order. One node type: an operator
// (a row or a composite of the operator tables), its arguments in schema order with all defaults
// filled in, and its results. Graphs own their values and nodes; pointers stay valid until erased.
namespace cresset::ir {

class Graph;
class Node;
class Value;
struct Argument;

// dtype, sizes, and the order of dimensions in memory (outermost first; empty: row-major).
struct TensorType {
  DType dtype = DType::kFloat32;
  std::vector<Dim> sizes;
  std::vector<uint8_t> dim_order;

  bool is_static() const;
  // dim_order spelled out.
  std::vector<uint8_t> order() const;
  friend bool operator==(const TensorType& a, const TensorType& b);
};

struct Type {
  enum class Kind : uint8_t { kTensor, kInt, kFloat, kBool };
  Kind kind = Kind::kTensor;
  TensorType tensor;             // of a tensor
  Dim value = Dim::unknown("");  // of an int: what it is in terms of symbols, where that is known

  static Type of(TensorType tensor) { return {Kind::kTensor, std::move(tensor), {}}; }
  static Type of_int(Dim value) { return {Kind::kInt, {}, std::move(value)}; }
  bool is_tensor() const { return kind == Kind::kTensor; }
};

// Where a node comes from in the user's model, for messages, profiles and reports.
struct Source {
  std::string line;    // 'model.py:12, in forward: x = self.conv(x)'; may be empty
  std::string module;  // path of the module, 'features.0.conv'; may be empty
};

// The bytes of a constant tensor: dense, in `type.dim_order`, little-endian. Immutable and shared;
// `owner` keeps `bytes` alive (often a mapped file).
struct Constant {
  std::string name;  // fully qualified name in the model, or one made up by a pass
  TensorType type;   // static
  const uint8_t* bytes = nullptr;
  size_t size_bytes = 0;
  std::shared_ptr<const void> owner;
  // In the model, which memory it shows and the bytes of it that it lies in; other constants may
  // show some of them too. Null: memory of its own.
  const void* memory = nullptr;
  size_t memory_begin = 0;
  size_t memory_end = 0;
};
using ConstantPtr = std::shared_ptr<const Constant>;

// A constant that owns a copy of `bytes`.
ConstantPtr make_constant(std::string name, TensorType type, const void* bytes, size_t size_bytes);
// Whether both may show the same bytes of the model's memory.
bool may_overlap(const Constant& a, const Constant& b);
// A 0-d constant.
ConstantPtr make_scalar_constant(std::string name, DType dtype, Scalar value);

// A tensor or number: produced by a node, or an input, a constant or a buffer of the graph.
class Value {
 public:
  enum class Origin : uint8_t { kNode, kInput, kConstant, kBuffer };

  std::string name;  // unique in its graph, without the %
  Type type;

  Origin origin() const { return origin_; }
  Node* producer() const { return producer_; }               // of kNode
  size_t result_index() const { return result_index_; }      // of kNode
  const ConstantPtr& constant() const { return constant_; }  // of kConstant
  Graph* graph() const { return graph_; }
  // The nodes that use this value, one entry a use; uses by the graph's outputs and mutations are
  // not in it.
  const std::vector<Node*>& users() const { return users_; }

  bool is_tensor() const { return type.is_tensor(); }
  const TensorType& tensor() const { return type.tensor; }
  const std::vector<Dim>& sizes() const { return type.tensor.sizes; }
  size_t rank() const { return type.tensor.sizes.size(); }
  DType dtype() const { return type.tensor.dtype; }

 private:
  friend class Graph;
  friend class Node;
  Origin origin_ = Origin::kNode;
  Node* producer_ = nullptr;
  size_t result_index_ = 0;
  ConstantPtr constant_;
  Graph* graph_ = nullptr;
  std::vector<Node*> users_;
};

struct None {
  friend bool operator==(None, None) { return true; }
};
using ArgumentList = std::vector<Argument>;

// One argument of a node: nothing, a value, a plain constant, a list of arguments, or a body.
struct Argument {
  std::variant<None, Value*, bool, int64_t, double, std::string, DType, ArgumentList,
               std::shared_ptr<Graph>>
      data;

  Argument() = default;
  Argument(Value* v) : data(v) {}                             // NOLINT(runtime/explicit)
  Argument(bool v) : data(v) {}                               // NOLINT(runtime/explicit)
  Argument(int v) : data(int64_t{v}) {}                       // NOLINT(runtime/explicit)
  Argument(int64_t v) : data(v) {}                            // NOLINT(runtime/explicit)
  Argument(double v) : data(v) {}                             // NOLINT(runtime/explicit)
  Argument(const char* v) : data(std::string(v)) {}           // NOLINT(runtime/explicit)
  Argument(std::string v) : data(std::move(v)) {}             // NOLINT(runtime/explicit)
  Argument(DType v) : data(v) {}                              // NOLINT(runtime/explicit)
  Argument(ArgumentList v) : data(std::move(v)) {}            // NOLINT(runtime/explicit)
  Argument(std::shared_ptr<Graph> v) : data(std::move(v)) {}  // NOLINT(runtime/explicit)
  Argument(Scalar v);                                         // NOLINT(runtime/explicit)
  static Argument ints(const std::vector<int64_t>& values);
  static Argument values(const std::vector<Value*>& values);

  bool is_none() const { return std::holds_alternative<None>(data); }
  bool is_value() const { return std::holds_alternative<Value*>(data); }
  bool is_bool() const { return std::holds_alternative<bool>(data); }
  bool is_int() const { return std::holds_alternative<int64_t>(data); }
  bool is_double() const { return std::holds_alternative<double>(data); }
  bool is_string() const { return std::holds_alternative<std::string>(data); }
  bool is_dtype() const { return std::holds_alternative<DType>(data); }
  bool is_list() const { return std::holds_alternative<ArgumentList>(data); }
  bool is_graph() const { return std::holds_alternative<std::shared_ptr<Graph>>(data); }
  // A plain number: bool, int or float.
  bool is_number() const { return is_bool() || is_int() || is_double(); }

  // Each is valid for its kind only (checked).
  Value* value() const;
  int64_t integer() const;  // of an int or a bool
  bool boolean() const;     // of a bool or an int
  double number() const;    // of any number
  Scalar scalar() const;    // of any number
  const std::string& string() const;
  DType dtype() const;
  const ArgumentList& list() const;
  ArgumentList& list();
  const std::shared_ptr<Graph>& graph() const;
  // A list of plain ints; empty optional if an item is a value.
  std::optional<std::vector<int64_t>> int_list() const;
};

// Structural equality; values by identity, bodies by identity.
bool operator==(const Argument& a, const Argument& b);

// One operation. Arguments are changed through set_arg so that users stay right.
class Node {
 public:
  const ops::OpInfo& info() const { return *info_; }
  ops::Op op() const { return info_->op; }  // Op::kCount: an operator that the application brings
  const ops::Schema& schema() const { return info_->schema; }

  const std::vector<Argument>& args() const { return args_; }
  const Argument& arg(size_t i) const { return args_[i]; }
  const Argument& arg(std::string_view name) const;  // checked: the schema has it
  void set_arg(size_t i, Argument value);
  void set_arg(std::string_view name, Argument value);
  // Makes this a call of another operator with the same results.
  void set_op(const ops::OpInfo& info, std::vector<Argument> args);

  const std::vector<Value*>& results() const { return results_; }
  Value* result(size_t i = 0) const { return results_[i]; }

  // Calls f(Value*) for every value among the arguments, list items included.
  template <class F>
  void for_each_value(F&& f) const;

  // The operator writes into its first argument and its result is that same tensor (PyTorch's
  // trailing underscore). Only before functionalize.
  bool in_place = false;
  // Of an operator that the application brings, after functionalize: it writes into copies, which
  // are results of the node behind those of its schema, in the order of the arguments that it
  // writes. These keep their contents.
  bool writes_copies = false;
  // Calls f(Value*) for every tensor that the operator writes into.
  template <class F>
  void for_each_written(F&& f) const;
  // Stable from the exported graph to instructions and events: 1 + the node's number in the model
  // as read. Nodes made by passes inherit the handle of what they replace.
  uint32_t debug_handle = 0;
  Source source;
  Graph* graph() const { return graph_; }

 private:
  friend class Graph;
  const ops::OpInfo* info_ = nullptr;
  std::vector<Argument> args_;
  std::vector<Value*> results_;
  Graph* graph_ = nullptr;
  std::list<std::unique_ptr<Node>>::iterator place_;
};

// A tensor that keeps its contents from call to call.
struct Buffer {
  Value* value = nullptr;  // its contents when the call begins
  std::string name;        // fully qualified
  ConstantPtr initial;
  Value* update = nullptr;  // its contents after the call; null: unchanged. Set by functionalize.
  bool shared = false;      // other methods of the program see the same memory
};

struct UserInput {
  std::string name;         // path of the argument, for messages
  Value* value = nullptr;   // null: a constant that the export specialised
  Argument specialised;     // that constant
  Value* update = nullptr;  // tensor written by the program: its contents after the call
};

class Graph {
 public:
  using Nodes = std::list<std::unique_ptr<Node>>;

  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  std::string name = "forward";
  // What the caller gives, in order. A body's inputs are its parameters.
  std::vector<UserInput> inputs;
  std::vector<Buffer> buffers;            // empty in bodies
  std::vector<Argument> outputs;          // values, or plain constants (None, numbers, strings)
  std::vector<std::string> output_names;  // may be empty
  // Ranges of symbols; in bodies those of the outermost graph apply and this is empty.
  Ranges ranges;
  // PyTorch's description of the nesting of inputs and outputs, passed on to program files.
  std::string in_spec, out_spec;

  const Nodes& nodes() const { return nodes_; }
  Nodes& nodes() { return nodes_; }

  Value* add_input(const std::string& path, Type type);  // appends to inputs
  Value* add_constant(ConstantPtr constant);             // the same data gives the same value
  Value* add_buffer(const std::string& fqn, ConstantPtr initial);  // appends to buffers
  // Appends a node, or inserts it before `before`. `args` in schema order; missing trailing ones
  // get their defaults. Results get the given types; names are made unique.
  Node* add_node(const ops::OpInfo& info, std::vector<Argument> args, std::vector<Type> results,
                 Node* before = nullptr);
  Node* add_node(ops::Op op, std::vector<Argument> args, std::vector<Type> results,
                 Node* before = nullptr);

  // Everywhere in this graph, outputs and updates included.
  void replace_uses(Value* from, Value* to);
  // Uses by outputs, buffer updates and input updates.
  size_t output_uses(const Value* value) const;
  bool is_used(const Value* value) const {
    return !value->users().empty() || output_uses(value) != 0;
  }
  // The node's results must have no uses.
  void erase(Node* node);
  // Moves the node so that it stands right before `before`.
  void move_before(Node* node, Node* before);
  // Removes constants (and nothing else) that have no use.
  void drop_unused_constants();
  const std::vector<std::unique_ptr<Value>>& values() const { return values_; }

  std::string unique_name(const std::string& base);
  // Gives a value of this graph the name `base`, made unique; its old name is free again.
  void rename(Value* value, const std::string& base);

 private:
  friend class Node;
  Value* new_value(const std::string& base, Type type, Value::Origin origin);

  Nodes nodes_;
  std::vector<std::unique_ptr<Value>> values_;
  std::map<std::string, int> names_;
  std::map<const Constant*, Value*> constants_;
};

// A model: one graph a method, sharing constants and buffers by name.
struct Program {
  std::vector<std::shared_ptr<Graph>> methods;
};

// The default of a schema argument as an Argument (None where the schema has none).
Argument default_argument(const ops::SchemaArg& arg);

template <class F>
void for_each_value_in(const Argument& argument, F&& f) {
  if (argument.is_value()) {
    f(argument.value());
  } else if (argument.is_list()) {
    for (const Argument& item : argument.list()) {
      for_each_value_in(item, f);
    }
  }
}

template <class F>
void Node::for_each_written(F&& f) const {
  for (size_t i = 0; i < args_.size(); ++i) {
    if (schema().args[i].writes) {
      for_each_value_in(args_[i], f);
    }
  }
}

template <class F>
void Node::for_each_value(F&& f) const {
  for (const Argument& argument : args_) {
    for_each_value_in(argument, f);
  }
}

// "node 'conv2d_3' (aten::conv2d), model.py:12, in forward: ...": how messages name a node.
std::string describe(const Node& node);

}  // namespace cresset::ir
