// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/table_counts.h"

#include "runtime/method.h"

namespace cresset {
namespace {

// sizeof of what the tables hold.
struct Sizes {
  size_t value, tensor, int_list, chain, step, delegate;
};

constexpr Sizes kSizes32 = {16, 24, 12, 8, 20, 12};
constexpr Sizes kSizes64 = {24, 48, 24, 16, 32, 24};
constexpr Sizes kSizesHere = sizeof(void*) == 4 ? kSizes32 : kSizes64;
static_assert(sizeof(Value) == kSizesHere.value && sizeof(Tensor) == kSizesHere.tensor &&
                  sizeof(IntList) == kSizesHere.int_list &&
                  sizeof(MethodTables::Chain) == kSizesHere.chain &&
                  sizeof(Step) == kSizesHere.step &&
                  sizeof(MethodTables::Delegate) == kSizesHere.delegate,
              "the sizes above are what method_arena_bytes() tells compilers: keep them true");

size_t count_args(const fb::Instruction& instruction) {
  if (const auto* call = instruction.instr_args_as_KernelCall()) {
    return call->args()->size();
  }
  if (const auto* call = instruction.instr_args_as_DelegateCall()) {
    return call->args()->size();
  }
  return instruction.instr_args_type() == fb::InstructionArguments::MoveCall ? 2 : 1;
}

}  // namespace

TableCounts TableCounts::of(const fb::ExecutionPlan& plan, bool with_names) {
  TableCounts counts;
  counts.values = plan.values()->size();
  for (const fb::EValue* value : *plan.values()) {
    if (const auto* tensor = value->val_as_Tensor()) {
      ++counts.tensors;
      counts.strides += tensor->sizes()->size();
      if (tensor->shape_dynamism() != fb::TensorShapeDynamism::STATIC) {
        counts.sizes += tensor->sizes()->size();
      }
    } else if (const auto* ints = value->val_as_IntList()) {
      ++counts.int_lists;
      counts.ints += ints->items()->size();
    } else if (const auto* tensors = value->val_as_TensorList()) {
      counts.tensor_items += tensors->items()->size();
    } else if (const auto* optionals = value->val_as_OptionalTensorList()) {
      counts.tensor_items += optionals->items()->size();
    }
  }
  counts.chains = plan.chains()->size();
  for (const fb::Chain* chain : *plan.chains()) {
    counts.steps += chain->instructions()->size();
    for (const fb::Instruction* instruction : *chain->instructions()) {
      counts.args += count_args(*instruction);
    }
  }
  counts.operators = size_of(plan.operators());
  counts.delegates = size_of(plan.delegates());
  counts.inputs = plan.inputs()->size();
  for (size_t i = 0; with_names && i < counts.operators; ++i) {
    const auto* op = plan.operators()->Get(static_cast<uint32_t>(i));
    counts.name_bytes += size_of(op->name()) + size_of(op->overload()) + 2;
  }
  return counts;
}

size_t TableCounts::bytes(size_t pointer_bytes) const {
  const Sizes& size = pointer_bytes == 4 ? kSizes32 : kSizes64;
  size_t total = 0;
  const auto add = [&](size_t count, size_t item_bytes, size_t alignment) {
    total += (alignment - total % alignment) % alignment + count * item_bytes;
  };
  add(values, size.value, 8);
  add(ints, 8, 8);
  add(tensors, size.tensor, pointer_bytes);
  add(int_lists, size.int_list, pointer_bytes);
  add(ints, pointer_bytes, pointer_bytes);
  add(tensor_items, pointer_bytes, pointer_bytes);
  add(chains, size.chain, pointer_bytes);
  add(steps, size.step, pointer_bytes);
  add(args, pointer_bytes, pointer_bytes);
  add(operators, pointer_bytes, pointer_bytes);
  add(delegates, size.delegate, pointer_bytes);
  add(name_bytes == 0 ? 0 : operators, pointer_bytes, pointer_bytes);
  add(strides, 4, 4);
  add(sizes, 4, 4);
  add(inputs, 1, 1);
  add(values, 1, 1);
  add(name_bytes, 1, 1);
  return total;
}

Result<size_t> method_arena_bytes(const Program& program, const char* method, bool with_events,
                                  size_t pointer_bytes) {
  const fb::ExecutionPlan* plan = program.plan(method);
  if (plan == nullptr) {
    return Status::kNotFound;
  }
  return TableCounts::of(*plan, with_events).bytes(pointer_bytes);
}

}  // namespace cresset
