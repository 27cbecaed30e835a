// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <unordered_map>

#include "compiler/passes/linearize.h"

namespace cresset::passes {

// The state of one linearize() call, shared by its files: linearize.cc (nodes, inputs, outputs) and
// lower_control_flow.cc (bodies). The first error sticks and is returned at the end.
class Linearizer {
 public:
  Linearizer(const ir::Graph& graph, const LinearizeOptions& options)
      : root_(graph), options_(options), ranges_(graph.ranges) {}

  ir::Expected<ir::Schedule> run();

 private:
  using Reg = uint32_t;

  // linearize.cc
  void note_range(const ir::Dim& size);
  void add_inputs();
  void add_buffers();
  void add_nodes(const ir::Graph& graph);
  void add_node(const ir::Node& node);
  void add_delegate(const ir::Node& node);
  void write_copies(const ir::Node& node, ir::Operand* operand, size_t* next);
  void add_updates();
  void add_outputs();
  bool share_view(const ir::Node& node);
  Reg reg_of(const ir::Value* value);
  Reg new_register(const std::string& name, const ir::Type& type);
  Reg new_number(ir::Register::Kind kind, ir::Argument literal);
  void set_bounds(ir::Register* reg, const std::string& what);
  void bound_data_dependent_sizes(const ir::Node& node);
  ir::Operand operand_of(const ops::SchemaArg& arg, const ir::Argument& value);
  ir::Step& add_step(ops::Op op, std::vector<ir::Operand> operands, size_t out_count,
                     const ir::Node* origin);
  void add_move(Reg from, Reg to);
  void add_jump(Reg condition, uint32_t target);
  // A planned register with the same contents; emits the copy.
  Reg add_copy(Reg source, const ir::Node* origin);
  uint32_t next_step() const { return static_cast<uint32_t>(schedule_.steps.size()); }
  void touch(Reg reg);
  void touch(const ir::Operand& operand);

  // lower_control_flow.cc
  bool lower_control_flow(const ir::Node& node);
  void lower_cond(const ir::Node& node);
  void lower_loop_over_slices(const ir::Node& node, size_t carries, const ir::ArgumentList& init,
                              const ir::ArgumentList& sliced, const ir::ArgumentList& fixed,
                              const ir::Graph& body);
  void set_piece_sizes(Reg stacked, Reg count, const std::vector<Reg>& like, const ir::Node& node);
  void lower_while_loop(const ir::Node& node);
  void bind(const ir::Graph& body, const std::vector<Reg>& operands);
  std::vector<Reg> operand_registers(const ir::ArgumentList& list);
  // Adds the branch and moves its outputs into `results`.
  void add_branch(const ir::Graph& body, const std::vector<Reg>& operands,
                  const std::vector<Reg>& results, const ir::Node& node);
  Reg output_register(const ir::Argument& output);

  void fail(ir::Error error) {
    if (error_.ok()) {
      error_ = std::move(error);
    }
  }

  const ir::Graph& root_;
  LinearizeOptions options_;
  ir::Ranges ranges_;
  ir::Schedule schedule_;
  std::unordered_map<const ir::Value*, Reg> registers_;
  // Stretches of steps that repeat, first and last: what is alive when one begins stays alive to
  // its end.
  std::vector<std::pair<uint32_t, uint32_t>> loops_;
  ir::Error error_;
};

// share_memory.cc: extends life times over loops, then lets outputs take the memory of inputs that
// die and state be updated in place; removes the copies that this makes idle.
void share_memory(ir::Schedule* schedule, const std::vector<std::pair<uint32_t, uint32_t>>& loops,
                  bool in_place);

}  // namespace cresset::passes
