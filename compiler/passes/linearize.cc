// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/linearize.h"

#include "compiler/passes/linearizer.h"
#include "core/tensor.h"
#include "ops/op.h"

namespace cresset::passes {

using ir::Argument;
using ir::Operand;
using ir::Register;

namespace {

bool row_major(const ir::TensorType& type) {
  for (size_t i = 0; i < type.dim_order.size(); ++i) {
    if (type.dim_order[i] != i) {
      return false;
    }
  }
  return true;
}

Register::Kind number_kind(ir::Type::Kind kind) {
  return kind == ir::Type::Kind::kFloat  ? Register::Kind::kDouble
         : kind == ir::Type::Kind::kBool ? Register::Kind::kBool
                                         : Register::Kind::kInt;
}

Argument zero_of(Register::Kind kind) {
  return kind == Register::Kind::kDouble ? Argument(0.0)
         : kind == Register::Kind::kBool ? Argument(false)
                                         : Argument(int64_t{0});
}

}  // namespace

// Sizes that no range bounds are an error: memory is planned before the program runs.
void Linearizer::set_bounds(Register* reg, const std::string& what) {
  reg->sizes.clear();
  for (size_t d = 0; d < reg->type.sizes.size(); ++d) {
    const ir::Dim& size = reg->type.sizes[d];
    const int64_t bound = size.bounds(ranges_).max;
    if (bound > INT32_MAX) {
      return fail(ir::not_supported(
          what + ": dimension " + std::to_string(d) + " (" + size.text() +
          ") has no upper bound; give torch.export.Dim(..., max=N) or compile with --max " +
          (size.symbols().empty() ? std::string("NAME") : size.symbols().front()) + "=N"));
    }
    reg->sizes.push_back(static_cast<int32_t>(bound < 0 ? 0 : bound));
    reg->dynamic = reg->dynamic || !size.is_known();
  }
  size_t bytes = 0;
  if (reg->sizes.size() > kMaxRank ||
      !tensor_bytes(reg->type.dtype, Span<const int32_t>(reg->sizes), &bytes)) {
    return fail(
        ir::not_supported(what + ": a tensor of " + ir::sizes_text(reg->type.sizes) +
                          " has more than 2^31 - 1 elements or 16 dimensions at its bounds"));
  }
  reg->size_bytes = bytes;
}

Linearizer::Reg Linearizer::new_register(const std::string& name, const ir::Type& type) {
  Register reg;
  reg.name = name;
  if (type.is_tensor()) {
    reg.type = type.tensor;
    set_bounds(&reg, "value '" + name + "'");
  } else {
    reg.kind = number_kind(type.kind);
    reg.literal = zero_of(reg.kind);
  }
  const Reg index = static_cast<Reg>(schedule_.registers.size());
  reg.block = index;
  reg.first_step = UINT32_MAX;
  schedule_.registers.push_back(std::move(reg));
  return index;
}

Linearizer::Reg Linearizer::new_number(Register::Kind kind, Argument literal) {
  Register reg;
  reg.kind = kind;
  reg.literal = std::move(literal);
  reg.block = static_cast<Reg>(schedule_.registers.size());
  schedule_.registers.push_back(std::move(reg));
  return schedule_.registers.back().block;
}

Linearizer::Reg Linearizer::reg_of(const ir::Value* value) {
  const auto found = registers_.find(value);
  if (found != registers_.end()) {
    return found->second;
  }
  const Reg reg = new_register(value->name, value->type);
  if (value->origin() == ir::Value::Origin::kConstant) {
    schedule_.registers[reg].storage = Register::Storage::kConstant;
    schedule_.registers[reg].constant = value->constant();
  }
  registers_[value] = reg;
  return reg;
}

void Linearizer::touch(Reg index) {
  Register& reg = schedule_.registers[index];
  const uint32_t step = next_step();
  reg.first_step = std::min(reg.first_step, step);
  reg.last_step = std::max(reg.last_step, step);
}

void Linearizer::touch(const Operand& operand) {
  if (operand.is_register()) {
    touch(operand.reg());
  } else if (operand.is_list()) {
    for (const Operand& item : operand.list()) {
      touch(item);
    }
  }
}

ir::Step& Linearizer::add_step(ops::Op op, std::vector<Operand> operands, size_t out_count,
                               const ir::Node* origin) {
  for (const Operand& operand : operands) {
    touch(operand);
  }
  ir::Step step;
  step.info = &ops::op_info(op);
  step.operands = std::move(operands);
  step.out_count = out_count;
  if (origin != nullptr) {
    step.debug_handle = origin->debug_handle;
    step.source = origin->source;
  }
  schedule_.steps.push_back(std::move(step));
  return schedule_.steps.back();
}

void Linearizer::add_move(Reg from, Reg to) {
  touch(from);
  touch(to);
  ir::Step step;
  step.kind = ir::Step::Kind::kMove;
  step.from = from;
  step.to = to;
  schedule_.steps.push_back(std::move(step));
}

void Linearizer::add_jump(Reg condition, uint32_t target) {
  touch(condition);
  ir::Step step;
  step.kind = ir::Step::Kind::kJumpFalse;
  step.from = condition;
  step.target = target;
  schedule_.steps.push_back(std::move(step));
}

Linearizer::Reg Linearizer::add_copy(Reg source, const ir::Node* origin) {
  const Register from = schedule_.registers[source];
  const Reg copy = new_register(from.name + "_copy", ir::Type::of(from.type));
  add_step(ops::Op::clone, {Operand(source), Operand(Argument()), Operand(copy)}, 1, origin);
  return copy;
}

void Linearizer::note_range(const ir::Dim& size) {
  schedule_.size_ranges[size.text()] = size.bounds(ranges_);
  for (const std::string& symbol : size.symbols()) {
    schedule_.size_ranges[symbol] = ir::Dim::symbol(symbol).bounds(ranges_);
  }
}

void Linearizer::add_inputs() {
  for (const ir::UserInput& input : root_.inputs) {
    if (input.value != nullptr) {
      const Reg reg = reg_of(input.value);
      schedule_.registers[reg].first_step = 0;
      for (const ir::Dim& size : schedule_.registers[reg].type.sizes) {
        note_range(size);
      }
      if (input.value->type.kind == ir::Type::Kind::kInt) {
        Register& number = schedule_.registers[reg];
        number.value = input.value->type.value;
        number.dynamic = !number.value.is_known();
        note_range(number.value);
      }
      schedule_.inputs.push_back(reg);
      continue;
    }
    const Argument& constant = input.specialised;
    schedule_.inputs.push_back(new_number(constant.is_bool()     ? Register::Kind::kBool
                                          : constant.is_int()    ? Register::Kind::kInt
                                          : constant.is_double() ? Register::Kind::kDouble
                                          : constant.is_string() ? Register::Kind::kString
                                                                 : Register::Kind::kNone,
                                          constant));
  }
}

void Linearizer::add_buffers() {
  for (const ir::Buffer& buffer : root_.buffers) {
    const Reg reg = reg_of(buffer.value);
    Register& state = schedule_.registers[reg];
    // A buffer that no method writes is a constant.
    state.storage = buffer.update == nullptr && !buffer.shared ? Register::Storage::kConstant
                                                               : Register::Storage::kState;
    state.shared_state = buffer.shared;
    state.constant = buffer.initial;
    state.state_name = buffer.name;
    state.first_step = 0;
  }
}

Operand Linearizer::operand_of(const ops::SchemaArg& arg, const Argument& value) {
  if (value.is_value()) {
    return reg_of(value.value());
  }
  if (value.is_list()) {
    std::vector<Operand> items;
    ops::SchemaArg item = arg;
    item.list = false;
    for (const Argument& element : value.list()) {
      items.push_back(operand_of(item, element));
    }
    return items;
  }
  if (arg.list && !value.is_none()) {
    ops::SchemaArg item = arg;
    item.list = false;
    return std::vector<Operand>(std::max<size_t>(arg.list_length, 1), operand_of(item, value));
  }
  if (value.is_dtype()) {
    return Argument(static_cast<int64_t>(value.dtype()));
  }
  if (arg.type == ops::TypeTag::kFloat && value.is_number()) {
    return Argument(value.number());
  }
  return value;
}

// The number of elements that a data-dependent operator can find is bounded by what it looks at;
// the symbol that stands for the number inherits the bound.
void Linearizer::bound_data_dependent_sizes(const ir::Node& node) {
  int64_t elements = 0;
  node.for_each_value([&](const ir::Value* value) {
    if (value->is_tensor()) {
      int64_t count = 1;
      for (const int32_t size : schedule_.registers[reg_of(value)].sizes) {
        count *= size;
      }
      elements = std::max(elements, count);
    }
  });
  for (const ir::Value* result : node.results()) {
    for (const ir::Dim& size : result->is_tensor() ? result->sizes() : std::vector<ir::Dim>()) {
      for (const std::string& symbol : size.symbols()) {
        ir::Range& range = ranges_.try_emplace(symbol, ir::Range{0, INT64_MAX}).first->second;
        if (size == ir::Dim::symbol(symbol) && range.max > elements) {
          range.max = elements;
        }
      }
    }
  }
}

// A re-reading of row-major memory is the same memory. Where sizes vary, the program sets them with
// et_view.
bool Linearizer::share_view(const ir::Node& node) {
  if (!options_.share_views || (node.info().traits & ops::kReinterprets) == 0 ||
      node.results().size() != 1 || !node.arg(0).is_value()) {
    return false;
  }
  const ir::Value* from = node.arg(0).value();
  const ir::Value* to = node.result();
  const Reg source = reg_of(from);
  if (!row_major(from->tensor()) || !row_major(to->tensor()) || from->dtype() != to->dtype() ||
      schedule_.registers[schedule_.registers[source].block].shared_state) {
    return false;
  }
  const bool dynamic = schedule_.registers[source].dynamic;
  const int size_arg = node.schema().find("size");
  const Reg view = reg_of(to);
  if (dynamic &&
      (size_arg < 0 || schedule_.registers[source].storage != Register::Storage::kPlanned)) {
    return false;
  }
  Register& shared = schedule_.registers[view];
  const Register& base = schedule_.registers[source];
  shared.storage =
      base.storage == Register::Storage::kConstant ? base.storage : Register::Storage::kPlanned;
  shared.constant = base.constant;
  shared.block = base.block;
  if (dynamic) {
    add_step(ops::Op::prim_et_view,
             {Operand(source), operand_of(node.schema().args[size_arg], node.arg("size")),
              Operand(view)},
             1, &node);
  } else {
    touch(source);
    touch(view);
  }
  return true;
}

void Linearizer::add_delegate(const ir::Node& node) {
  ir::Delegate delegate;
  delegate.backend = node.arg("backend").string();
  delegate.blob = node.arg("blob").value()->constant();
  const ir::ArgumentList& specs = node.arg("specs").list();
  for (size_t i = 0; i + 1 < specs.size(); i += 2) {
    delegate.specs.emplace_back(specs[i].string(), specs[i + 1].string());
  }
  for (const Argument& datum : node.arg("data").list()) {
    delegate.data.push_back(datum.value()->constant());
  }
  std::vector<Operand> operands;
  for (const Argument& input : node.arg("inputs").list()) {
    operands.emplace_back(reg_of(input.value()));
  }
  for (const ir::Value* result : node.results()) {
    operands.emplace_back(reg_of(result));
  }
  ir::Step& step =
      add_step(ops::Op::hop_delegate, std::move(operands), node.results().size(), &node);
  step.kind = ir::Step::Kind::kDelegate;
  step.delegate = static_cast<uint32_t>(schedule_.delegates.size());
  schedule_.delegates.push_back(std::move(delegate));
}

// Puts a copy in the place of every tensor of the operand: the node's results from `next` on.
void Linearizer::write_copies(const ir::Node& node, Operand* operand, size_t* next) {
  if (operand->is_list()) {
    for (Operand& item : std::get<std::vector<Operand>>(operand->data)) {
      write_copies(node, &item, next);
    }
  } else if (operand->is_register()) {
    const Reg copy = reg_of(node.result((*next)++));
    add_step(ops::Op::clone, {*operand, Operand(Argument()), Operand(copy)}, 1, &node);
    *operand = copy;
  }
}

void Linearizer::add_node(const ir::Node& node) {
  if (node.op() == ops::Op::hop_delegate) {
    return add_delegate(node);
  }
  if (lower_control_flow(node) || share_view(node)) {
    return;
  }
  if (node.info().composite) {
    return fail(ir::error(Status::kInternal, describe(node) + ": not decomposed"));
  }
  if ((node.info().traits & ops::kDataDependent) != 0) {
    bound_data_dependent_sizes(node);
  }
  const ops::Schema& schema = node.schema();
  std::vector<Operand> operands;
  size_t copied_from = node.results().size();
  if (node.writes_copies) {
    node.for_each_written([&](const ir::Value*) { --copied_from; });
  }
  size_t copied = copied_from;
  for (size_t i = 0; i < schema.arg_count; ++i) {
    if (!schema.is_tensor_option(i) && schema.args[i].type != ops::TypeTag::kGenerator) {
      operands.push_back(operand_of(schema.args[i], node.arg(i)));
    }
    if (node.writes_copies && schema.args[i].writes) {
      write_copies(node, &operands.back(), &copied);
    }
  }
  std::vector<Operand> outs;
  for (size_t i = 0; i < copied_from; ++i) {
    outs.emplace_back(reg_of(node.result(i)));
  }
  size_t out_count = outs.size();
  if (schema.return_count == 1 && schema.returns[0].list) {
    operands.emplace_back(std::move(outs));
    out_count = 1;
  } else {
    operands.insert(operands.end(), outs.begin(), outs.end());
  }
  ir::Step& step = add_step(ops::Op::kCount == node.op() ? ops::Op::clone : node.op(),
                            std::move(operands), out_count, &node);
  step.info = &node.info();
}

void Linearizer::add_nodes(const ir::Graph& graph) {
  for (const auto& node : graph.nodes()) {
    if (!error_.ok()) {
      return;
    }
    add_node(*node);
  }
}

// Writes new contents of buffers and inputs back, after everything else: until then reads see the
// old ones.
void Linearizer::add_updates() {
  const auto write_back = [this](const ir::Value* target, const ir::Value* update) {
    if (update != nullptr && update != target) {
      add_step(ops::Op::copy_,
               {Operand(reg_of(target)), Operand(reg_of(update)), Operand(Argument(false))}, 0,
               update->producer());
    }
  };
  for (const ir::Buffer& buffer : root_.buffers) {
    write_back(buffer.value, buffer.update);
  }
  for (const ir::UserInput& input : root_.inputs) {
    if (input.update != nullptr) {
      write_back(input.value, input.update);
    }
  }
}

Linearizer::Reg Linearizer::output_register(const Argument& output) {
  if (output.is_value()) {
    return reg_of(output.value());
  }
  return new_number(output.is_bool()     ? Register::Kind::kBool
                    : output.is_int()    ? Register::Kind::kInt
                    : output.is_double() ? Register::Kind::kDouble
                    : output.is_string() ? Register::Kind::kString
                                         : Register::Kind::kNone,
                    output);
}

// An output must not be memory that the write-backs, done after this, change; nor read-only memory.
void Linearizer::add_outputs() {
  for (const Argument& output : root_.outputs) {
    Reg reg = output_register(output);
    const Register& base = schedule_.registers[schedule_.registers[reg].block];
    bool copy = schedule_.registers[reg].storage == Register::Storage::kConstant ||
                base.storage == Register::Storage::kState;
    for (const ir::UserInput& input : root_.inputs) {
      copy = copy || (input.update != nullptr && reg_of(input.value) == base.block);
    }
    if (copy && schedule_.registers[reg].kind == Register::Kind::kTensor) {
      reg = add_copy(reg, nullptr);
    }
    schedule_.outputs.push_back(reg);
  }
}

ir::Expected<ir::Schedule> Linearizer::run() {
  schedule_.name = root_.name;
  schedule_.in_spec = root_.in_spec;
  schedule_.out_spec = root_.out_spec;
  add_inputs();
  add_buffers();
  add_nodes(root_);
  add_outputs();
  add_updates();
  if (!error_.ok()) {
    return error_;
  }
  const uint32_t end = next_step();
  for (Reg output : schedule_.outputs) {
    schedule_.registers[output].last_step = end;
    schedule_.registers[output].first_step = std::min(schedule_.registers[output].first_step, end);
  }
  for (size_t i = 0; i < root_.inputs.size(); ++i) {
    if (root_.inputs[i].update != nullptr) {
      schedule_.registers[schedule_.inputs[i]].last_step = end;
    }
  }
  for (Register& reg : schedule_.registers) {
    reg.first_step = reg.first_step == UINT32_MAX ? 0 : reg.first_step;
    if (reg.storage == Register::Storage::kState) {
      reg.last_step = std::max(reg.last_step, reg.first_step);
    }
  }
  share_memory(&schedule_, loops_, options_.in_place);
  return std::move(schedule_);
}

ir::Expected<ir::Schedule> linearize(const ir::Graph& graph, const LinearizeOptions& options) {
  return Linearizer(graph, options).run();
}

}  // namespace cresset::passes
