// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/linearizer.h"
#include "ops/op.h"

namespace cresset::passes {

using ir::Argument;
using ir::Operand;
using ir::Register;

bool Linearizer::lower_control_flow(const ir::Node& node) {
  switch (node.op()) {
    case ops::Op::hop_cond:
      lower_cond(node);
      return true;
    case ops::Op::hop_scan: {
      const ir::ArgumentList& init = node.arg("init").list();
      lower_loop_over_slices(node, init.size(), init, node.arg("xs").list(),
                             node.arg("additional").list(), *node.arg("combine").graph());
      return true;
    }
    case ops::Op::hop_map_impl:
      lower_loop_over_slices(node, 0, {}, node.arg("mapped").list(), node.arg("additional").list(),
                             *node.arg("body").graph());
      return true;
    case ops::Op::hop_while_loop:
      lower_while_loop(node);
      return true;
    default:
      return false;
  }
}

std::vector<Linearizer::Reg> Linearizer::operand_registers(const ir::ArgumentList& list) {
  std::vector<Reg> regs;
  for (const Argument& argument : list) {
    regs.push_back(output_register(argument));
  }
  return regs;
}

// A body captures nothing: its inputs are the operands themselves.
void Linearizer::bind(const ir::Graph& body, const std::vector<Reg>& operands) {
  if (body.inputs.size() != operands.size()) {
    return fail(ir::bad_model("a body takes " + std::to_string(body.inputs.size()) +
                              " operands, given " + std::to_string(operands.size())));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (body.inputs[i].value != nullptr) {
      registers_[body.inputs[i].value] = operands[i];
    }
  }
}

void Linearizer::add_branch(const ir::Graph& body, const std::vector<Reg>& operands,
                            const std::vector<Reg>& results, const ir::Node& node) {
  bind(body, operands);
  const Reg first_own = static_cast<Reg>(schedule_.registers.size());
  add_nodes(body);
  if (body.outputs.size() != results.size()) {
    return fail(ir::bad_model(describe(node) + ": a branch returns " +
                              std::to_string(body.outputs.size()) + " values, expected " +
                              std::to_string(results.size())));
  }
  std::vector<Reg> moved;
  for (size_t i = 0; i < results.size() && error_.ok(); ++i) {
    Reg from = output_register(body.outputs[i]);
    if (schedule_.registers[from].kind == Register::Kind::kTensor) {
      // Only a tensor made by this branch alone can be handed over: its memory becomes the
      // result's.
      bool own = from >= first_own &&
                 schedule_.registers[from].storage == Register::Storage::kPlanned &&
                 schedule_.registers[from].block == from;
      for (Reg other : moved) {
        own = own && schedule_.registers[other].block != from;
      }
      if (!own) {
        from = add_copy(from, &node);
      }
      moved.push_back(from);
      schedule_.registers[from].block = schedule_.registers[results[i]].block;
    }
    add_move(from, results[i]);
  }
}

void Linearizer::lower_cond(const ir::Node& node) {
  const std::vector<Reg> operands = operand_registers(node.arg("operands").list());
  std::vector<Reg> results;
  for (const ir::Value* result : node.results()) {
    results.push_back(reg_of(result));
  }
  const Reg condition = output_register(node.arg("pred"));
  const uint32_t branch = next_step();
  add_jump(condition, 0);
  add_branch(*node.arg("true_graph").graph(), operands, results, node);
  const uint32_t leave = next_step();
  add_jump(new_number(Register::Kind::kBool, Argument(false)), 0);
  schedule_.steps[branch].target = next_step();
  add_branch(*node.arg("false_graph").graph(), operands, results, node);
  schedule_.steps[leave].target = next_step();
}

// Gives `stacked` the sizes behind its first, where they vary: et_copy_index of ExecuTorch's
// runtime sets only the first. They are read off `like`, registers with the same dimensions.
void Linearizer::set_piece_sizes(Reg stacked, Reg count, const std::vector<Reg>& like,
                                 const ir::Node& node) {
  const std::vector<ir::Dim> sizes = schedule_.registers[stacked].type.sizes;
  if (sizes.empty() ||
      std::all_of(sizes.begin() + 1, sizes.end(), [](const ir::Dim& d) { return d.is_known(); })) {
    return;
  }
  std::vector<Operand> items = {Operand(count)};
  for (size_t d = 1; d < sizes.size(); ++d) {
    if (sizes[d].is_known()) {
      items.emplace_back(Argument(*sizes[d].known()));
      continue;
    }
    for (const Reg reg : like) {
      const std::vector<ir::Dim>& dims = schedule_.registers[reg].type.sizes;
      const auto found = std::find(dims.begin(), dims.end(), sizes[d]);
      if (found != dims.end()) {
        const Reg size = new_number(Register::Kind::kInt, Argument(int64_t{0}));
        add_step(ops::Op::sym_size_int,
                 {Operand(reg), Operand(Argument(static_cast<int64_t>(found - dims.begin()))),
                  Operand(size)},
                 1, &node);
        items.emplace_back(size);
        break;
      }
    }
    if (items.size() != d + 1) {
      return;
    }
  }
  add_step(ops::Op::empty_memory_format,
           {Operand(std::move(items)), Operand(Argument()), Operand(stacked)}, 1, &node);
}

// for i in 0 .. size(sliced[0], 0): carries, pieces = body(carries, sliced[:][i], fixed);
// stacked[i] = pieces
void Linearizer::lower_loop_over_slices(const ir::Node& node, size_t carries,
                                        const ir::ArgumentList& init,
                                        const ir::ArgumentList& sliced,
                                        const ir::ArgumentList& fixed, const ir::Graph& body) {
  if (sliced.empty() || !sliced[0].is_value() || body.outputs.size() != node.results().size()) {
    return fail(ir::bad_model(describe(node) + ": nothing to loop over, or outputs do not match"));
  }
  std::vector<Reg> operands;
  for (size_t i = 0; i < carries; ++i) {
    const Reg carry = reg_of(node.result(i));
    add_step(ops::Op::clone,
             {Operand(output_register(init[i])), Operand(Argument()), Operand(carry)}, 1, &node);
    operands.push_back(carry);
  }
  const Reg counter = new_number(Register::Kind::kInt, Argument(int64_t{0}));
  const Reg count = new_number(Register::Kind::kInt, Argument(int64_t{0}));
  const Reg done = new_number(Register::Kind::kBool, Argument(false));
  add_step(ops::Op::sym_size_int,
           {Operand(reg_of(sliced[0].value())), Operand(Argument(int64_t{0})), Operand(count)}, 1,
           &node);
  std::vector<Reg> stacked;
  for (size_t i = carries; i < node.results().size(); ++i) {
    const Reg result = reg_of(node.result(i));
    schedule_.registers[result].dynamic = true;  // grows while the loop runs
    touch(result);
    stacked.push_back(result);
  }
  std::vector<Reg> like = operands;
  for (const Argument& list : sliced) {
    like.push_back(reg_of(list.value()));
  }
  for (const Reg result : stacked) {
    set_piece_sizes(result, count, like, node);
  }
  const uint32_t start = next_step();
  for (const Argument& list : sliced) {
    ir::TensorType type = list.value()->tensor();
    type.sizes.erase(type.sizes.begin());
    type.dim_order.clear();
    const Reg slice = new_register(list.value()->name + "_slice", ir::Type::of(type));
    add_step(ops::Op::select_copy_int,
             {Operand(reg_of(list.value())), Operand(Argument(int64_t{0})), Operand(counter),
              Operand(slice)},
             1, &node);
    operands.push_back(slice);
  }
  for (const Reg reg : operand_registers(fixed)) {
    operands.push_back(reg);
  }
  bind(body, operands);
  add_nodes(body);
  if (!error_.ok()) {
    return;
  }
  for (size_t i = carries; i < body.outputs.size(); ++i) {
    add_step(ops::Op::prim_et_copy_index,
             {Operand(stacked[i - carries]), Operand(output_register(body.outputs[i])),
              Operand(counter)},
             0, &node);
  }
  // A new carry that is an old one (or a slice of it) must be saved before the first is
  // overwritten.
  std::vector<Reg> next;
  for (size_t i = 0; i < carries; ++i) {
    Reg reg = output_register(body.outputs[i]);
    for (size_t k = 0; k < carries; ++k) {
      if (k != i && schedule_.registers[reg].block == schedule_.registers[operands[k]].block) {
        reg = add_copy(reg, &node);
        break;
      }
    }
    next.push_back(reg);
  }
  for (size_t i = 0; i < carries; ++i) {
    if (next[i] != operands[i]) {
      add_step(ops::Op::copy_, {Operand(operands[i]), Operand(next[i]), Operand(Argument(false))},
               0, &node);
    }
  }
  add_step(ops::Op::prim_add, {Operand(counter), Operand(Argument(int64_t{1})), Operand(counter)},
           1, &node);
  add_step(ops::Op::prim_eq, {Operand(counter), Operand(count), Operand(done)}, 1, &node);
  loops_.emplace_back(start, next_step());
  for (const Reg carry : operands) {
    touch(carry);
  }
  add_jump(done, start);
  // The counter starts from zero again in the next call.
  add_step(ops::Op::prim_sub, {Operand(counter), Operand(counter), Operand(counter)}, 1, &node);
}

void Linearizer::lower_while_loop(const ir::Node& node) {
  std::vector<Reg> operands;
  const ir::ArgumentList& init = node.arg("carried").list();
  if (init.size() != node.results().size()) {
    return fail(ir::bad_model(describe(node) + ": carried values and results differ in number"));
  }
  for (size_t i = 0; i < init.size(); ++i) {
    const Reg carry = reg_of(node.result(i));
    const Reg from = output_register(init[i]);
    if (schedule_.registers[carry].kind == Register::Kind::kTensor) {
      add_step(ops::Op::clone, {Operand(from), Operand(Argument()), Operand(carry)}, 1, &node);
    } else {
      add_move(from, carry);
    }
    operands.push_back(carry);
  }
  for (const Reg reg : operand_registers(node.arg("additional").list())) {
    operands.push_back(reg);
  }
  const uint32_t start = next_step();
  const ir::Graph& condition = *node.arg("condition").graph();
  bind(condition, operands);
  add_nodes(condition);
  if (!error_.ok() || condition.outputs.size() != 1) {
    return fail(ir::bad_model(describe(node) + ": the condition must return one value"));
  }
  const uint32_t test = next_step();
  add_jump(output_register(condition.outputs[0]), 0);
  const ir::Graph& body = *node.arg("body").graph();
  bind(body, operands);
  add_nodes(body);
  if (!error_.ok() || body.outputs.size() != init.size()) {
    return fail(ir::bad_model(describe(node) + ": the body must return the carried values"));
  }
  std::vector<Reg> next;
  for (size_t i = 0; i < init.size(); ++i) {
    Reg reg = output_register(body.outputs[i]);
    for (size_t k = 0; k < init.size(); ++k) {
      if (k != i && schedule_.registers[reg].kind == Register::Kind::kTensor &&
          schedule_.registers[reg].block == schedule_.registers[operands[k]].block) {
        reg = add_copy(reg, &node);
        break;
      }
    }
    next.push_back(reg);
  }
  for (size_t i = 0; i < init.size(); ++i) {
    if (next[i] == operands[i]) {
      continue;
    }
    if (schedule_.registers[operands[i]].kind == Register::Kind::kTensor) {
      add_step(ops::Op::copy_, {Operand(operands[i]), Operand(next[i]), Operand(Argument(false))},
               0, &node);
    } else {
      add_move(next[i], operands[i]);
    }
  }
  loops_.emplace_back(start, next_step());
  for (const Reg reg : operands) {
    touch(reg);
  }
  add_jump(new_number(Register::Kind::kBool, Argument(false)), start);
  schedule_.steps[test].target = next_step();
}

}  // namespace cresset::passes
