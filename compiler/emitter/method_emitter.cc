// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/emitter/method_emitter.h"

#include <algorithm>

namespace cresset::emitter {

using flatbuffers::Offset;
using ir::Operand;
using ir::Register;
using ir::Step;

namespace {

// Such operators name their results once and have no return slot.
bool is_primitive(const ops::OpInfo& info) {
  return info.name.starts_with("executorch_prim::") ||
         (info.schema.return_count == 1 && info.schema.returns[0].type != ops::TypeTag::kTensor);
}

}  // namespace

MethodEmitter::ValueIndex MethodEmitter::add_value(fb::KernelTypes type, Offset<void> value) {
  values_.push_back(fb::CreateEValue(b_, type, value));
  return static_cast<ValueIndex>(values_.size() - 1);
}

MethodEmitter::ValueIndex MethodEmitter::int_value(int64_t value) {
  const auto [it, fresh] = ints_.emplace(value, 0);
  if (fresh) {
    it->second = add_value(fb::KernelTypes::Int, fb::CreateInt(b_, value).Union());
  }
  return it->second;
}

MethodEmitter::ValueIndex MethodEmitter::literal_value(const ir::Argument& literal) {
  if (literal.is_bool()) {
    return add_value(fb::KernelTypes::Bool, fb::CreateBool(b_, literal.boolean()).Union());
  }
  if (literal.is_int()) {
    return add_value(fb::KernelTypes::Int, fb::CreateInt(b_, literal.integer()).Union());
  }
  if (literal.is_double()) {
    return add_value(fb::KernelTypes::Double, fb::CreateDouble(b_, literal.number()).Union());
  }
  if (literal.is_string()) {
    return add_value(fb::KernelTypes::String,
                     fb::CreateStringDirect(b_, literal.string().c_str()).Union());
  }
  return add_value(fb::KernelTypes::Null, fb::CreateNull(b_).Union());
}

MethodEmitter::ValueIndex MethodEmitter::tensor_value(const Register& reg) {
  uint32_t data = 0;
  Offset<fb::AllocationDetails> place;
  Offset<fb::ExtraTensorInfo> extra;
  switch (reg.storage) {
    case Register::Storage::kConstant:
      if (options_.external_constants) {
        extra =
            fb::CreateExtraTensorInfoDirect(b_, 0, external_.add(reg.constant, reg.sizes).c_str(),
                                            fb::TensorDataLocation::EXTERNAL);
      } else {
        data = constants_.add({reg.constant->bytes, reg.constant->size_bytes});
      }
      break;
    case Register::Storage::kState: {
      const Span<const uint8_t> initial(reg.constant->bytes, reg.constant->size_bytes);
      const bool zero =
          std::all_of(initial.begin(), initial.end(), [](uint8_t byte) { return byte == 0; });
      if (!zero || !options_.zero_state_is_implied) {
        data = state_.add(initial);
      }
      extra = fb::CreateExtraTensorInfoDirect(b_, 0, reg.state_name.c_str());
      [[fallthrough]];
    }
    case Register::Storage::kPlanned:
      place =
          fb::CreateAllocationDetails(b_, reg.arena + 1, static_cast<uint32_t>(reg.offset_bytes),
                                      static_cast<uint32_t>(reg.offset_bytes >> 32));
      break;
  }
  const std::vector<uint8_t> order = reg.type.order();
  const Offset<fb::Tensor> tensor = fb::CreateTensorDirect(
      b_, static_cast<::cresset::schema::ScalarType>(reg.type.dtype), 0, &reg.sizes, &order, false,
      data, place, 0,
      reg.dynamic ? fb::TensorShapeDynamism::DYNAMIC_BOUND : fb::TensorShapeDynamism::STATIC,
      extra);
  return add_value(fb::KernelTypes::Tensor, tensor.Union());
}

MethodEmitter::ValueIndex MethodEmitter::register_value(uint32_t index) {
  const auto found = registers_.find(index);
  if (found != registers_.end()) {
    return found->second;
  }
  const Register& reg = schedule_->registers[index];
  const ValueIndex value =
      reg.kind == Register::Kind::kTensor ? tensor_value(reg) : literal_value(reg.literal);
  registers_[index] = value;
  return value;
}

MethodEmitter::ValueIndex MethodEmitter::list_value(const std::vector<Operand>& items,
                                                    const ops::SchemaArg& arg) {
  switch (arg.type) {
    case ops::TypeTag::kTensor: {
      std::vector<int32_t> indices;
      for (const Operand& item : items) {
        indices.push_back(item.is_register() ? register_value(item.reg()) : -1);
      }
      return arg.optional_items
                 ? add_value(fb::KernelTypes::OptionalTensorList,
                             fb::CreateOptionalTensorListDirect(b_, &indices).Union())
                 : add_value(fb::KernelTypes::TensorList,
                             fb::CreateTensorListDirect(b_, &indices).Union());
    }
    case ops::TypeTag::kFloat: {
      std::vector<double> numbers;
      for (const Operand& item : items) {
        numbers.push_back(item.literal().number());
      }
      return add_value(fb::KernelTypes::DoubleList,
                       fb::CreateDoubleListDirect(b_, &numbers).Union());
    }
    case ops::TypeTag::kBool: {
      std::vector<uint8_t> flags;
      for (const Operand& item : items) {
        flags.push_back(item.literal().boolean());
      }
      return add_value(fb::KernelTypes::BoolList, fb::CreateBoolListDirect(b_, &flags).Union());
    }
    default: {
      std::vector<int64_t> indices;
      for (const Operand& item : items) {
        indices.push_back(item.is_register() ? register_value(item.reg())
                                             : int_value(item.literal().integer()));
      }
      return add_value(fb::KernelTypes::IntList, fb::CreateIntListDirect(b_, &indices).Union());
    }
  }
}

MethodEmitter::ValueIndex MethodEmitter::operand_value(const Operand& operand,
                                                       const ops::SchemaArg& arg) {
  if (operand.is_register()) {
    return register_value(operand.reg());
  }
  return operand.is_list() ? list_value(operand.list(), arg) : literal_value(operand.literal());
}

int32_t MethodEmitter::operator_index(const ops::OpInfo& info) {
  const auto found = std::find(operators_.begin(), operators_.end(), &info);
  if (found != operators_.end()) {
    return static_cast<int32_t>(found - operators_.begin());
  }
  operators_.push_back(&info);
  return static_cast<int32_t>(operators_.size() - 1);
}

Offset<fb::Instruction> MethodEmitter::instruction(const Step& step) {
  if (step.kind == Step::Kind::kMove) {
    const auto move = fb::CreateMoveCall(b_, register_value(step.from), register_value(step.to));
    return fb::CreateInstruction(b_, fb::InstructionArguments::MoveCall, move.Union());
  }
  if (step.kind == Step::Kind::kJumpFalse) {
    const auto jump =
        fb::CreateJumpFalseCall(b_, register_value(step.from), static_cast<int32_t>(step.target));
    return fb::CreateInstruction(b_, fb::InstructionArguments::JumpFalseCall, jump.Union());
  }
  if (step.kind == Step::Kind::kDelegate) {
    std::vector<int32_t> args;
    for (const Operand& operand : step.operands) {
      args.push_back(register_value(operand.reg()));
    }
    const auto call = fb::CreateDelegateCallDirect(b_, static_cast<int32_t>(step.delegate), &args);
    return fb::CreateInstruction(b_, fb::InstructionArguments::DelegateCall, call.Union());
  }
  // Operands follow the schema's arguments, less those that a kernel is not handed; then outputs.
  const ops::Schema& schema = step.info->schema;
  std::vector<int32_t> args;
  size_t at = 0;
  for (size_t i = 0; i < schema.arg_count && at + step.out_count < step.operands.size(); ++i) {
    if (!schema.is_tensor_option(i) && schema.args[i].type != ops::TypeTag::kGenerator) {
      args.push_back(operand_value(step.operands[at++], schema.args[i]));
    }
  }
  ops::SchemaArg tensors;
  tensors.list = true;
  for (; at < step.operands.size(); ++at) {
    args.push_back(operand_value(step.operands[at], tensors));
  }
  if (!is_primitive(*step.info)) {
    if (step.out_count == 0) {
      args.push_back(args.front());  // writes into its first argument and returns it
    } else if (step.operands.back().is_list()) {
      args.push_back(list_value(step.operands.back().list(), tensors));
    } else if (step.out_count == 1) {
      args.push_back(args.back());
    } else {
      args.push_back(list_value(
          {step.operands.end() - static_cast<ptrdiff_t>(step.out_count), step.operands.end()},
          tensors));
    }
  }
  const auto call = fb::CreateKernelCallDirect(b_, operator_index(*step.info), &args);
  return fb::CreateInstruction(b_, fb::InstructionArguments::KernelCall, call.Union());
}

Offset<fb::BackendDelegate> MethodEmitter::delegate(const ir::Delegate& delegate) {
  std::vector<Offset<fb::CompileSpec>> specs;
  for (const auto& [key, value] : delegate.specs) {
    const std::vector<uint8_t> bytes(value.begin(), value.end());
    specs.push_back(fb::CreateCompileSpecDirect(b_, key.c_str(), &bytes));
  }
  const auto processed = fb::CreateBackendDelegateDataReference(
      b_, fb::DataLocation::SEGMENT, blobs_.add({delegate.blob->bytes, delegate.blob->size_bytes}));
  return fb::CreateBackendDelegateDirect(b_, delegate.backend.c_str(), processed, &specs);
}

MethodEmitter::ValueIndex MethodEmitter::scratch_value(const ir::Schedule& schedule) {
  const std::vector<int32_t> sizes = {static_cast<int32_t>(schedule.scratch_bytes)};
  const std::vector<uint8_t> order = {0};
  const auto place =
      fb::CreateAllocationDetails(b_, static_cast<uint32_t>(schedule.arena_bytes.size()), 0, 0);
  const auto extra = fb::CreateExtraTensorInfoDirect(b_, 0, "cresset.scratch");
  return add_value(
      fb::KernelTypes::Tensor,
      fb::CreateTensorDirect(b_, ::cresset::schema::ScalarType::BYTE, 0, &sizes, &order, false, 0,
                             place, 0, fb::TensorShapeDynamism::STATIC, extra)
          .Union());
}

Offset<fb::ExecutionPlan> MethodEmitter::emit(const ir::Schedule& schedule) {
  schedule_ = &schedule;
  std::vector<int32_t> inputs, outputs;
  for (const uint32_t reg : schedule.inputs) {
    inputs.push_back(register_value(reg));
  }
  std::vector<Offset<fb::Instruction>> instructions;
  for (const Step& step : schedule.steps) {
    instructions.push_back(instruction(step));
    put_u32(&debug_handles_, step.debug_handle);
  }
  for (const uint32_t reg : schedule.outputs) {
    outputs.push_back(register_value(reg));
  }
  // State that no instruction touches must still be there, for whoever asks for it by name.
  for (uint32_t i = 0; i < schedule.registers.size(); ++i) {
    if (schedule.registers[i].storage == Register::Storage::kState) {
      register_value(i);
    }
  }
  if (schedule.scratch_bytes != 0) {
    scratch_value(schedule);
  }
  input_records_ = describe_inputs(schedule);
  std::vector<Offset<fb::Operator>> operators;
  for (const ops::OpInfo* info : operators_) {
    operators.push_back(fb::CreateOperatorDirect(b_, std::string(info->name).c_str(),
                                                 std::string(info->out).c_str()));
  }
  const std::vector<int32_t> none;
  const std::vector<Offset<fb::Chain>> chains = {
      fb::CreateChainDirect(b_, &none, &none, &instructions)};
  std::vector<int64_t> arenas = {0};
  arenas.insert(arenas.end(), schedule.arena_bytes.begin(), schedule.arena_bytes.end());
  std::vector<Offset<fb::BackendDelegate>> delegates;
  for (const ir::Delegate& made : schedule.delegates) {
    delegates.push_back(delegate(made));
  }
  const auto specs =
      fb::CreateContainerMetadataDirect(b_, schedule.in_spec.c_str(), schedule.out_spec.c_str());
  return fb::CreateExecutionPlanDirect(b_, schedule.name.c_str(), specs, &values_, &inputs,
                                       &outputs, &chains, &operators, &delegates, &arenas);
}

}  // namespace cresset::emitter
