// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/frontend/argument_reader.h"
#include "compiler/frontend/constant_pool.h"
#include "compiler/frontend/json.h"
#include "compiler/frontend/op_lookup.h"
#include "compiler/frontend/type_reader.h"
#include "compiler/ir/graph.h"

namespace cresset::frontend {

// What the readers of all graphs of one program share.
struct ReadContext {
  const OpLookup* ops = nullptr;
  ConstantPool* constants = nullptr;
  TypeReader types;
  uint32_t next_debug_handle = 1;
};

// Reads one Graph of the file (the program's, or a body) into a graph of the IR. Errors are
// recorded in the document and end the reading.
//
// Types come from the file. The dim order of a result is the recorded one where the node asks for
// it (a memory format) or where an argument of the same rank already has it; else results are
// row-major, whatever strides PyTorch's views had.
class GraphReader {
 public:
  // `json` is the Graph; both must outlive this.
  GraphReader(ReadContext* context, const Json& json, ir::Graph* graph)
      : context_(context), json_(json), graph_(graph) {}

  // Reads the types of all values. First.
  void read_types();
  // The type of a value of the graph; records an error at `json` where the file gives none.
  ir::Type type_of(std::string_view name, const Json& json) const;
  Scope& scope() { return scope_; }

  // Adds all nodes. Inputs must have been bound.
  void read_nodes();
  // Makes the inputs of a body; the program's own inputs need its signature.
  void add_body_inputs();
  // The outputs in order.
  std::vector<ir::Argument> read_outputs();

 private:
  // One result of a node: its name in the file (empty: none) and its type.
  struct ResultName {
    std::string_view name;
    ir::Type type;
  };

  void read_node(const Json& node);
  // Reads a call of `target` and adds it.
  void read_call(const Json& node, const Target& target, const std::vector<Json>& inputs,
                 const std::vector<Json>& outputs);
  ir::Node* add_call(const Json& node, const Target& target, std::vector<ir::Argument> args,
                     std::vector<ResultName> results);
  ir::Node* add_node(const Json& node, const Target& target, std::vector<ir::Argument> args,
                     const std::vector<ResultName>& results);
  // `given`: arguments that come from elsewhere and are left to the caller.
  std::vector<ir::Argument> arguments_of(const Json& node, const Target& target,
                                         const std::vector<Json>& inputs,
                                         const std::vector<Json>& outputs,
                                         std::vector<bool> given = {});
  // The place of a node's input in the schema; -1 where it has none.
  int place_of(const Json& input, size_t position, size_t count, const Target& target);
  std::vector<ResultName> results_of(const std::vector<Json>& outputs);
  // A complex number as a tensor without dimensions, as wide as the node's result needs it.
  ir::Argument complex_argument(const Json& number, const std::vector<Json>& outputs);
  void choose_dim_orders(const ops::Schema& schema, const std::vector<ir::Argument>& args,
                         std::vector<ResultName>* results);
  std::shared_ptr<ir::Graph> read_body(const Json& as_graph);
  void inline_body(const Json& node, TargetForm form);
  void read_symbolic_sum(const Json& node, const Target& target);
  void read_subclass_access(const Json& node);

  // Where the operator wants a number and gets a complex one, puts another call in its place; an
  // error and false where there is none.
  bool place_complex(const Json& node, Target* target, std::vector<ir::Argument>* args);
  // The number, expanded by that operator to a shape or to the shape of a tensor.
  ir::Argument filled(const Json& node, const char* expand, const ir::Argument& number,
                      const ir::Argument& shape);

  // The call that the argument, an operator's name, stands for; an error where it is no operator.
  Target operator_named_by(const Json& argument);
  void read_with_effects(const Json& node);
  void read_auto_functionalized(const Json& node);
  // The tensor of `bases` that the members "_<name>_..." of an auto_functionalized_v2 describe.
  ir::Argument view_of_base(const Json& node, const std::map<std::string, Json>& members,
                            const std::string& name, const std::vector<ir::Value*>& bases);
  // Records an error where PyTorch had the tensor otherwise: strides mean nothing then.
  bool is_row_major(const Json& tensor) const;
  ir::Value* add_clone(const Json& node, ir::Value* value);

  ReadContext* context_;
  const Json& json_;
  ir::Graph* graph_;
  Scope scope_;
  std::unordered_map<std::string_view, ir::Type> types_;
  std::unordered_set<std::string_view> scattered_;  // tensors that PyTorch had not row-major
};

}  // namespace cresset::frontend
