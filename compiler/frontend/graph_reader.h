// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
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
  ir::Node* add_node(const Json& node, const Target& target, std::vector<ir::Argument> args,
                     const std::vector<ResultName>& results);
  std::vector<ir::Argument> arguments_of(const Json& node, const Target& target);
  // The place of a node's input in the schema; -1 where it has none.
  int place_of(const Json& input, size_t position, size_t count, const Target& target);
  std::vector<ResultName> results_of(const Json& node);
  void choose_dim_orders(const ops::Schema& schema, const std::vector<ir::Argument>& args,
                         std::vector<ResultName>* results);
  std::shared_ptr<ir::Graph> read_body(const Json& as_graph);
  void inline_body(const Json& node, TargetForm form);
  void read_symbolic_sum(const Json& node, const Target& target);
  void read_subclass_access(const Json& node);

  ReadContext* context_;
  const Json& json_;
  ir::Graph* graph_;
  Scope scope_;
  std::unordered_map<std::string_view, ir::Type> types_;
};

}  // namespace cresset::frontend
