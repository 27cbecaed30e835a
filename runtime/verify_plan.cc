// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/verify_plan.h"

#include "core/tensor.h"

namespace cresset {
namespace {

constexpr size_t kMaxPlannedBuffers = 64;

class PlanVerifier {
 public:
  PlanVerifier(const fb::Program& program, const fb::ExecutionPlan& plan, WorkBudget& budget,
               Message& message)
      : program_(program), plan_(plan), budget_(budget), message_(message) {}

  Status run() {
    if (plan_.values() == nullptr || plan_.inputs() == nullptr || plan_.outputs() == nullptr ||
        size_of(plan_.chains()) == 0 || plan_.non_const_buffer_sizes() == nullptr ||
        !is_aligned(plan_.non_const_buffer_sizes())) {
      return fail("its values, inputs, outputs, chains or buffer sizes are absent or not aligned");
    }
    CRESSET_TRY(check_buffers());
    CRESSET_TRY(check_operators());
    CRESSET_TRY(check_delegates());
    CRESSET_TRY(check_values());
    CRESSET_TRY(check_inputs_and_outputs());
    for (uint32_t i = 0; i < plan_.chains()->size(); ++i) {
      CRESSET_TRY(check_chain(*plan_.chains()->Get(i)));
    }
    return Status::kOk;
  }

 private:
  template <class... A>
  Status fail_as(Status status, const char* format, const A&... args) {
    message_.clear();
    message_.append("method {}: ", text_of(plan_.name()));
    message_.append(format, args...);
    return status;
  }
  template <class... A>
  Status fail(const char* format, const A&... args) {
    return fail_as(Status::kInvalidProgram, format, args...);
  }

  bool is_value(int64_t index) const {
    return index >= 0 && index < static_cast<int64_t>(plan_.values()->size());
  }
  const fb::EValue& value(int64_t index) const {
    return *plan_.values()->Get(static_cast<uint32_t>(index));
  }
  Status spend(uint64_t items) {
    return budget_.spend(items) ? Status::kOk : fail("its lists share one another without end");
  }

  Status check_buffers() {
    const auto& sizes = *plan_.non_const_buffer_sizes();
    if (sizes.size() > kMaxPlannedBuffers + 1) {
      return fail_as(Status::kNotSupported, "{} planned buffers; at most {} are supported",
                     sizes.size() - 1, kMaxPlannedBuffers);
    }
    for (uint32_t i = 1; i < sizes.size(); ++i) {
      if (sizes.Get(i) < 0 || static_cast<uint64_t>(sizes.Get(i)) > SIZE_MAX / 2) {
        return fail("planned buffer {} has {} bytes", i, sizes.Get(i));
      }
      planned_bytes_ += static_cast<uint64_t>(sizes.Get(i));
    }
    for (uint32_t i = 0; i < size_of(plan_.non_const_buffer_device()); ++i) {
      if (plan_.non_const_buffer_device()->Get(i)->device_type() != fb::DeviceType::CPU) {
        return fail_as(Status::kNotSupported, "planned buffer {} is not in the processor's memory",
                       plan_.non_const_buffer_device()->Get(i)->buffer_idx());
      }
    }
    return Status::kOk;
  }

  Status check_operators() {
    CRESSET_TRY(spend(size_of(plan_.operators())));
    for (uint32_t i = 0; i < size_of(plan_.operators()); ++i) {
      if (plan_.operators()->Get(i)->name() == nullptr) {
        return fail("operator {} has no name", i);
      }
    }
    return Status::kOk;
  }

  Status check_delegates() {
    CRESSET_TRY(spend(size_of(plan_.delegates())));
    for (uint32_t i = 0; i < size_of(plan_.delegates()); ++i) {
      const auto* delegate = plan_.delegates()->Get(i);
      if (delegate->id() == nullptr || delegate->processed() == nullptr) {
        return fail("delegate {} has no id or no data", i);
      }
      const auto* processed = delegate->processed();
      const bool is_inline = processed->location() == fb::DataLocation::INLINE;
      const uint32_t count =
          is_inline ? size_of(program_.backend_delegate_data()) : size_of(program_.segments());
      if ((!is_inline && processed->location() != fb::DataLocation::SEGMENT) ||
          processed->index() >= count) {
        return fail("delegate {} ({}): its data is {} {} of {}", i, text_of(delegate->id()),
                    is_inline ? "inline datum" : "segment", processed->index(), count);
      }
      CRESSET_TRY(spend(size_of(delegate->compile_specs())));
      for (uint32_t k = 0; k < size_of(delegate->compile_specs()); ++k) {
        if (delegate->compile_specs()->Get(k)->key() == nullptr) {
          return fail("delegate {} ({}): compile spec {} has no key", i, text_of(delegate->id()),
                      k);
        }
      }
    }
    return Status::kOk;
  }

  Status check_values() {
    CRESSET_TRY(spend(plan_.values()->size()));
    // Lists refer to other values, so these must all be sound first.
    for (uint32_t i = 0; i < plan_.values()->size(); ++i) {
      const fb::EValue& entry = *plan_.values()->Get(i);
      if (entry.val_type() == fb::KernelTypes::NONE ||
          entry.val_type() > fb::KernelTypes::OptionalTensorList || entry.val() == nullptr) {
        return fail("value {} has no type that we know or no value", i);
      }
      if (const auto* tensor = entry.val_as_Tensor()) {
        CRESSET_TRY(check_tensor(i, *tensor));
      }
    }
    for (uint32_t i = 0; i < plan_.values()->size(); ++i) {
      CRESSET_TRY(check_content(i, *plan_.values()->Get(i)));
    }
    return Status::kOk;
  }

  Status check_content(uint32_t index, const fb::EValue& entry) {
    switch (entry.val_type()) {
      case fb::KernelTypes::String:
        return entry.val_as_String()->string_val() == nullptr ? fail("value {}: no text", index)
                                                              : Status::kOk;
      case fb::KernelTypes::IntList: {
        const auto* items = entry.val_as_IntList()->items();
        return check_items(index, items, [&](int64_t item) {
          return is_value(item) && value(item).val_type() == fb::KernelTypes::Int;
        });
      }
      case fb::KernelTypes::DoubleList:
        return entry.val_as_DoubleList()->items() == nullptr ||
                       !is_aligned(entry.val_as_DoubleList()->items())
                   ? fail("value {}: no items, or not aligned", index)
                   : Status::kOk;
      case fb::KernelTypes::BoolList: {
        const auto* items = entry.val_as_BoolList()->items();
        if (items == nullptr) {
          return fail("value {}: no items", index);
        }
        // They are handed out as the bytes they are, which must then be true booleans.
        CRESSET_TRY(spend(items->size()));
        for (uint32_t i = 0; i < items->size(); ++i) {
          if (items->Data()[i] > 1) {
            return fail("value {}: item {} is neither true nor false", index, i);
          }
        }
        return Status::kOk;
      }
      case fb::KernelTypes::TensorList:
        return check_items(index, entry.val_as_TensorList()->items(),
                           [&](int64_t item) { return is_tensor(item); });
      case fb::KernelTypes::OptionalTensorList:
        return check_items(index, entry.val_as_OptionalTensorList()->items(),
                           [&](int64_t item) { return item == -1 || is_tensor(item); });
      default:
        return Status::kOk;
    }
  }

  bool is_tensor(int64_t index) const {
    return is_value(index) && value(index).val_type() == fb::KernelTypes::Tensor;
  }

  template <class T, class Predicate>
  Status check_items(uint32_t index, const flatbuffers::Vector<T>* items, Predicate good) {
    if (items == nullptr || !is_aligned(items)) {
      return fail("value {}: no items, or not aligned", index);
    }
    CRESSET_TRY(spend(items->size()));
    for (uint32_t i = 0; i < items->size(); ++i) {
      if (!good(items->Get(i))) {
        return fail("value {}: item {} names value {}, which is of no kind for that list", index, i,
                    items->Get(i));
      }
    }
    return Status::kOk;
  }

  Status check_tensor(uint32_t index, const fb::Tensor& tensor) {
    if (tensor.sizes() == nullptr || tensor.dim_order() == nullptr ||
        tensor.sizes()->size() != tensor.dim_order()->size() || tensor.sizes()->size() > kMaxRank) {
      return fail("tensor {}: {} sizes and {} dimensions in its order (at most {})", index,
                  size_of(tensor.sizes()), size_of(tensor.dim_order()), kMaxRank);
    }
    const Span<const int32_t> sizes(tensor.sizes()->data(), tensor.sizes()->size());
    const Span<const uint8_t> order(tensor.dim_order()->data(), tensor.dim_order()->size());
    if (!is_permutation(order)) {
      return fail("tensor {}: dim order {} is no permutation", index, order);
    }
    if (!dtype_known(static_cast<int>(tensor.scalar_type()))) {
      return fail_as(Status::kNotSupported, "tensor {}: unknown dtype number {}", index,
                     static_cast<int>(tensor.scalar_type()));
    }
    const DType dtype = static_cast<DType>(tensor.scalar_type());
    size_t bytes = 0;
    if (!tensor_bytes(dtype, sizes, &bytes)) {
      return fail("tensor {}: sizes {} are negative or too large", index, sizes);
    }
    if (tensor.storage_offset() != 0) {
      return fail_as(Status::kNotSupported, "tensor {}: storage offset {}", index,
                     tensor.storage_offset());
    }
    if (tensor.shape_dynamism() != fb::TensorShapeDynamism::STATIC &&
        tensor.shape_dynamism() != fb::TensorShapeDynamism::DYNAMIC_BOUND) {
      return fail_as(Status::kNotSupported, "tensor {}: its sizes have no upper bound", index);
    }
    const auto* extra = tensor.extra_tensor_info();
    if (extra != nullptr && extra->device_type() != fb::DeviceType::CPU) {
      return fail_as(Status::kNotSupported, "tensor {} is not in the processor's memory", index);
    }
    if (is_external(tensor) && extra->fully_qualified_name() == nullptr) {
      return fail("tensor {}: external, but without a name", index);
    }
    CRESSET_TRY(spend(sizes.size()));
    CRESSET_TRY(check_place(index, tensor, bytes, dtype_bytes(dtype)));
    return is_external(tensor) || tensor.data_buffer_idx() == 0
               ? Status::kOk
               : check_initial_data(index, tensor, bytes);
  }

  Status check_place(uint32_t index, const fb::Tensor& tensor, size_t bytes, size_t item_bytes) {
    const auto* place = tensor.allocation_info();
    if (place == nullptr) {
      return Status::kOk;
    }
    const auto& sizes = *plan_.non_const_buffer_sizes();
    if (place->memory_id() == 0 || place->memory_id() >= sizes.size()) {
      return fail("tensor {}: planned buffer {} of {}", index, place->memory_id(),
                  sizes.size() == 0 ? 0 : sizes.size() - 1);
    }
    const uint64_t offset = planned_offset(*place);
    const uint64_t room = static_cast<uint64_t>(sizes.Get(place->memory_id()));
    if (offset > room || bytes > room - offset) {
      return fail("tensor {}: {} bytes at {} reach beyond planned buffer {} of {} bytes", index,
                  bytes, offset, place->memory_id(), room);
    }
    if (offset % item_bytes != 0) {
      return fail("tensor {}: offset {} is no multiple of its {}-byte elements", index, offset,
                  item_bytes);
    }
    return Status::kOk;
  }

  Status check_initial_data(uint32_t index, const fb::Tensor& tensor, size_t bytes) {
    const uint32_t number = tensor.data_buffer_idx();
    const bool is_state = tensor.allocation_info() != nullptr;
    const auto* list = is_state ? (size_of(program_.mutable_data_segments()) == 0
                                       ? nullptr
                                       : program_.mutable_data_segments()->Get(0))
                                : program_.constant_segment();
    if (!is_state && (list == nullptr || size_of(list->offsets()) == 0)) {
      const uint32_t count = size_of(program_.constant_buffer());
      if (number >= count || size_of(program_.constant_buffer()->Get(number)->storage()) < bytes) {
        return fail("tensor {}: constant {} of {} is absent or smaller than {} bytes", index,
                    number, count, bytes);
      }
      return Status::kOk;
    }
    // State is disjoint: more of it than planned memory would only cost time.
    state_bytes_ += is_state ? bytes : 0;
    const uint32_t count = list == nullptr ? 0 : size_of(list->offsets());
    if (number >= count || state_bytes_ > planned_bytes_) {
      return fail("tensor {}: {} {} of {}", index, is_state ? "initial state" : "constant", number,
                  count);
    }
    const uint64_t size = program_.segments()->Get(list->segment_index())->size();
    if (bytes > size - list->offsets()->Get(number)) {
      return fail("tensor {}: {} {} is shorter than {} bytes", index,
                  is_state ? "initial state" : "constant", number, bytes);
    }
    return Status::kOk;
  }

  Status check_inputs_and_outputs() {
    CRESSET_TRY(check_indices("input", plan_.inputs()));
    CRESSET_TRY(check_indices("output", plan_.outputs()));
    for (uint32_t i = 0; i < plan_.inputs()->size(); ++i) {
      const Value::Kind kind = kind_of(value(plan_.inputs()->Get(i)));
      if (kind > Value::Kind::kTensor || kind == Value::Kind::kString) {
        return fail_as(Status::kNotSupported, "input {} is a {}", i, kind_text(kind));
      }
      const auto* tensor = value(plan_.inputs()->Get(i)).val_as_Tensor();
      if (tensor != nullptr && tensor_info(*tensor).constant) {
        return fail("input {} is a constant", i);
      }
    }
    return Status::kOk;
  }

  Status check_indices(const char* what, const flatbuffers::Vector<int32_t>* indices) {
    if (indices == nullptr) {
      return fail("no list of {}s", what);
    }
    CRESSET_TRY(spend(indices->size()));
    for (uint32_t i = 0; i < indices->size(); ++i) {
      if (!is_value(indices->Get(i))) {
        return fail("{} {} names value {} of {}", what, i, indices->Get(i), plan_.values()->size());
      }
    }
    return Status::kOk;
  }

  Status check_chain(const fb::Chain& chain) {
    if (chain.instructions() == nullptr) {
      return fail("a chain has no list of instructions");
    }
    CRESSET_TRY(spend(chain.instructions()->size()));
    for (uint32_t i = 0; i < chain.instructions()->size(); ++i) {
      CRESSET_TRY(
          check_instruction(i, *chain.instructions()->Get(i), chain.instructions()->size()));
    }
    return Status::kOk;
  }

  Status check_args(uint32_t at, const flatbuffers::Vector<int32_t>* args) {
    if (args == nullptr) {
      return fail("instruction {} has no list of arguments", at);
    }
    CRESSET_TRY(spend(args->size()));
    for (uint32_t i = 0; i < args->size(); ++i) {
      if (!is_value(args->Get(i))) {
        return fail("instruction {}: argument {} names value {} of {}", at, i, args->Get(i),
                    plan_.values()->size());
      }
    }
    return Status::kOk;
  }

  Status check_instruction(uint32_t at, const fb::Instruction& instruction, uint32_t count) {
    if (instruction.instr_args() == nullptr) {
      return fail("instruction {} is empty", at);
    }
    switch (instruction.instr_args_type()) {
      case fb::InstructionArguments::KernelCall: {
        const auto* call = instruction.instr_args_as_KernelCall();
        if (static_cast<uint32_t>(call->op_index()) >= size_of(plan_.operators())) {
          return fail("instruction {}: operator {} of {}", at, call->op_index(),
                      size_of(plan_.operators()));
        }
        return check_args(at, call->args());
      }
      case fb::InstructionArguments::DelegateCall: {
        const auto* call = instruction.instr_args_as_DelegateCall();
        if (static_cast<uint32_t>(call->delegate_index()) >= size_of(plan_.delegates())) {
          return fail("instruction {}: delegate {} of {}", at, call->delegate_index(),
                      size_of(plan_.delegates()));
        }
        return check_args(at, call->args());
      }
      case fb::InstructionArguments::MoveCall:
        return check_move(at, *instruction.instr_args_as_MoveCall());
      case fb::InstructionArguments::JumpFalseCall:
        return check_jump(at, *instruction.instr_args_as_JumpFalseCall(), count);
      case fb::InstructionArguments::FreeCall: {
        const int32_t index = instruction.instr_args_as_FreeCall()->value_index();
        return is_tensor(index) ? Status::kOk
                                : fail("instruction {}: frees value {}, no tensor", at, index);
      }
      default:
        return fail("instruction {}: unknown kind {}", at,
                    static_cast<int>(instruction.instr_args_type()));
    }
  }

  // A move must not change what kind of thing a value is: calls that use it were checked for that.
  Status check_move(uint32_t at, const fb::MoveCall& move) {
    if (!is_value(move.move_from()) || !is_value(move.move_to())) {
      return fail("instruction {}: moves value {} to {} of {}", at, move.move_from(),
                  move.move_to(), plan_.values()->size());
    }
    const Value::Kind from = kind_of(value(move.move_from()));
    const Value::Kind to = kind_of(value(move.move_to()));
    const auto is_number = [](Value::Kind kind) {
      return kind >= Value::Kind::kInt && kind <= Value::Kind::kBool;
    };
    if (from != to && !(is_number(from) && is_number(to))) {
      return fail("instruction {}: moves a {} into a {}", at, kind_text(from), kind_text(to));
    }
    return Status::kOk;
  }

  Status check_jump(uint32_t at, const fb::JumpFalseCall& jump, uint32_t count) {
    const int32_t condition = jump.cond_value_index();
    if (!is_value(condition) ||
        (kind_of(value(condition)) != Value::Kind::kBool &&
         (!is_tensor(condition) ||
          value(condition).val_as_Tensor()->scalar_type() != schema::ScalarType::BOOL))) {
      return fail("instruction {}: its condition, value {}, is neither a bool nor a bool tensor",
                  at, condition);
    }
    if (static_cast<uint32_t>(jump.destination_instruction()) > count) {
      return fail("instruction {}: jumps to {} of {}", at, jump.destination_instruction(), count);
    }
    return Status::kOk;
  }

  const fb::Program& program_;
  const fb::ExecutionPlan& plan_;
  WorkBudget& budget_;
  Message& message_;
  uint64_t planned_bytes_ = 0;  // over all planned buffers
  uint64_t state_bytes_ = 0;    // that loading copies into them
};

}  // namespace

Status verify_plan(const fb::Program& program, const fb::ExecutionPlan& plan, WorkBudget& budget,
                   Message& message) {
  return PlanVerifier(program, plan, budget, message).run();
}

}  // namespace cresset
