// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/plan_memory.h"

#include <algorithm>
#include <deque>

#include "compiler/memory_planner/memory_planner.h"
#include "core/tensor.h"

namespace cresset::passes {

using ir::Operand;
using ir::Register;

namespace {

constexpr uint64_t kAlignment = 16;

uint64_t round_up(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// A step's operands as values without data, at the bounds of their sizes, for scratch functions.
class StepValues {
 public:
  StepValues(const ir::Schedule& schedule, const ir::Step& step) : schedule_(schedule) {
    for (const Operand& operand : step.operands) {
      args_.push_back(add(operand));
    }
  }
  Value* const* args() const { return args_.data(); }

 private:
  Value* add(const Operand& operand) {
    if (operand.is_register()) {
      const Register& reg = schedule_.registers[operand.reg()];
      return reg.kind == Register::Kind::kTensor ? keep(Value::of_tensor(add_tensor(reg)))
                                                 : keep(literal(reg.literal));
    }
    if (!operand.is_list()) {
      return keep(literal(operand.literal()));
    }
    return add_list(operand.list());
  }

  Value* add_list(const std::vector<Operand>& items) {
    bool tensors = false, doubles = false, bools = !items.empty();
    std::vector<Value*> values;
    for (const Operand& item : items) {
      values.push_back(add(item));
      tensors = tensors || values.back()->is_tensor();
      doubles = doubles || values.back()->kind() == Value::Kind::kDouble;
      bools = bools && values.back()->kind() == Value::Kind::kBool;
    }
    if (tensors) {
      auto& list = tensors_lists_.emplace_back();
      for (const Value* value : values) {
        list.push_back(value->is_tensor() ? value->as_tensor() : nullptr);
      }
      return keep(Value::of_tensor_list(Span<Tensor* const>(list.data(), list.size())));
    }
    if (doubles) {
      auto& list = doubles_.emplace_back();
      for (const Value* value : values) {
        list.push_back(value->as_scalar().to_double());
      }
      return keep(Value::of_double_list(Span<const double>(list.data(), list.size())));
    }
    auto& ints = ints_.emplace_back();
    for (const Value* value : values) {
      ints.push_back(value->as_scalar().to_int());
    }
    lists_.push_back({ints.data(), nullptr, static_cast<uint32_t>(ints.size())});
    return keep(Value::of_int_list(&lists_.back()));
  }

  Tensor* add_tensor(const Register& reg) {
    tensors_.emplace_back(reg.type.dtype, Span<const int32_t>(reg.sizes), nullptr, 0,
                          Span<const uint8_t>(reg.type.dim_order));
    return &*tensors_.back();
  }

  static Value literal(const ir::Argument& argument) {
    return argument.is_number()   ? Value::of_scalar(argument.scalar())
           : argument.is_string() ? Value::of_string(argument.string().c_str())
                                  : Value();
  }
  Value* keep(Value value) {
    values_.push_back(value);
    return &values_.back();
  }

  const ir::Schedule& schedule_;
  std::vector<Value*> args_;
  std::deque<Value> values_;
  std::deque<LocalTensor> tensors_;
  std::deque<std::vector<Tensor*>> tensors_lists_;
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<double>> doubles_;
  std::deque<IntList> lists_;
};

uint64_t scratch_need(const ir::Schedule& schedule, ops::KernelTables kernels) {
  uint64_t most = 0;
  for (const ir::Step& step : schedule.steps) {
    if (step.kind != ir::Step::Kind::kKernel) {
      continue;
    }
    const ops::Kernel* kernel = ops::find_kernel(kernels, std::string(step.info->name).c_str(),
                                                 std::string(step.info->out).c_str());
    if (kernel != nullptr && kernel->scratch != nullptr) {
      most = std::max<uint64_t>(most, kernel->scratch(StepValues(schedule, step).args()));
    }
  }
  return round_up(most);
}

bool has_place(const Register& reg) {
  return reg.kind == Register::Kind::kTensor && !reg.shared_state &&
         (reg.storage == Register::Storage::kPlanned || reg.storage == Register::Storage::kState);
}

}  // namespace

ir::Error plan_memory(ir::Schedule* schedule, ops::KernelTables kernels) {
  std::vector<memory_planner::Value> values;
  std::vector<Register*> placed;
  for (Register& reg : schedule->registers) {
    if (!has_place(reg)) {
      continue;
    }
    memory_planner::Value value;
    value.size_bytes = round_up(reg.size_bytes);
    value.alignment = kAlignment;
    value.first_use = reg.first_step;
    value.last_use = std::max(reg.first_step, reg.last_step);
    value.block = reg.block;
    if (reg.storage == Register::Storage::kState) {
      value.first_use = 0;
      value.last_use = static_cast<uint32_t>(schedule->steps.size());
    }
    values.push_back(value);
    placed.push_back(&reg);
  }
  memory_planner::Options options;
  options.search_steps = 4'000'000;
  Result<memory_planner::Plan> plan = memory_planner::plan_memory(values, options);
  if (!plan.ok()) {
    return ir::error(plan.status(),
                     "the activations of '" + schedule->name + "' cannot be planned");
  }
  for (size_t i = 0; i < placed.size(); ++i) {
    placed[i]->arena = 0;
    placed[i]->offset_bytes = plan->offsets[i];
  }
  const uint64_t shared = schedule->arena_bytes.size() > 1 ? schedule->arena_bytes[1] : 0;
  schedule->arena_bytes.assign(1, 0);
  if (!plan->arenas.empty()) {
    schedule->arena_bytes[0] = plan->arenas[0].size_bytes;
    schedule->lower_bound_bytes = plan->arenas[0].lower_bound_bytes;
  }
  if (shared != 0) {
    schedule->arena_bytes.push_back(shared);
  }
  schedule->scratch_bytes = scratch_need(*schedule, kernels);
  if (schedule->scratch_bytes != 0) {
    schedule->arena_bytes.push_back(schedule->scratch_bytes);
  }
  return {};
}

}  // namespace cresset::passes
