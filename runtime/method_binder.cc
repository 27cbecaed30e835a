// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "ops/check_args.h"
#include "runtime/method_loader.h"
#include "runtime/prim_ops.h"

namespace cresset {
namespace {

using ops::ArgCode;

// Bits of MethodTables::varying.
constexpr uint8_t kChanges = 1;       // a number that instructions write
constexpr uint8_t kSeesConstant = 2;  // a view of constant memory
// More rounds of views of views than any sensible program has.
constexpr int kMaxViewRounds = 8;

bool is_prim(const ops::Kernel* kernel) {
  const ops::KernelTable prims = prim_kernels();
  return kernel >= prims.begin() && kernel < prims.end();
}

bool is_view(const Step& step) {
  return step.kind == Step::Kind::kKernel && is_prim(step.kernel) &&
         std::strcmp(step.kernel->name, "executorch_prim::et_view") == 0;
}

// Whether "name" + "." + "overload" is how the program calls the kernel, wherever it has its dot.
bool names(const ops::Kernel& kernel, const char* name, const char* overload) {
  const size_t length = std::strlen(kernel.name);
  if (std::strncmp(name, kernel.name, length) != 0) {
    return false;
  }
  if (name[length] == '\0') {
    return std::strcmp(overload, kernel.overload) == 0;
  }
  return name[length] == '.' && overload[0] == '\0' &&
         std::strcmp(name + length + 1, kernel.overload) == 0;
}

const ops::Kernel* find(ops::KernelTable table, const char* name, const char* overload) {
  for (const ops::Kernel& kernel : table) {
    if (names(kernel, name, overload)) {
      return &kernel;
    }
  }
  return nullptr;
}

bool writes(ArgCode code) {
  return code == ArgCode::kMutableTensor || code == ArgCode::kOutTensor ||
         code == ArgCode::kOutTensors;
}

}  // namespace

Status MethodLoader::resolve_operators() {
  MethodTables& tables = method_.tables_;
  // Unused entries do no harm, so only what is called must exist.
  for (const fb::Chain* chain : *plan_.chains()) {
    for (const fb::Instruction* instruction : *chain->instructions()) {
      if (const auto* call = instruction->instr_args_as_KernelCall()) {
        const uint32_t index = static_cast<uint32_t>(call->op_index());
        if (tables.kernels[index] != nullptr) {
          continue;
        }
        const auto* op = plan_.operators()->Get(index);
        const char* name = text_of(op->name());
        const char* overload = text_of(op->overload());
        tables.kernels[index] = find(prim_kernels(), name, overload);
        for (const ops::KernelTable& table : method_.options_.kernels) {
          if (tables.kernels[index] == nullptr) {
            tables.kernels[index] = find(table, name, overload);
          }
        }
      }
    }
  }
  size_t missing = 0;
  for (const fb::Chain* chain : *plan_.chains()) {
    for (const fb::Instruction* instruction : *chain->instructions()) {
      const auto* call = instruction->instr_args_as_KernelCall();
      if (call == nullptr) {
        continue;
      }
      const uint32_t index = static_cast<uint32_t>(call->op_index());
      if (tables.kernels[index] != nullptr) {
        continue;
      }
      const auto* op = plan_.operators()->Get(index);
      if (missing++ == 0) {
        message_.clear();
        message_.append("method {}: no kernel for ", text_of(plan_.name()));
      } else {
        message_.append(", ");
      }
      const char* overload = text_of(op->overload());
      message_.append("{}{}{}", text_of(op->name()), overload[0] == '\0' ? "" : ".", overload);
      tables.kernels[index] = prim_kernels().data();  // named once; loading fails anyway
    }
  }
  return missing == 0 ? Status::kOk : Status::kOperatorMissing;
}

void MethodLoader::make_steps() {
  MethodTables& tables = method_.tables_;
  const auto take_args = [&](Step& step, const auto* args) {
    step.args = args_;
    step.arg_count = args->size();
    for (uint32_t i = 0; i < args->size(); ++i) {
      *args_++ = value(args->Get(i));
    }
  };
  const auto take_one = [&](Step& step, int32_t index) {
    if (step.arg_count++ == 0) {
      step.args = args_;
    }
    *args_++ = value(index);
  };
  for (uint32_t c = 0; c < plan_.chains()->size(); ++c) {
    const auto& instructions = *plan_.chains()->Get(c)->instructions();
    tables.chains[c] = {steps_, instructions.size()};
    for (uint32_t i = 0; i < instructions.size(); ++i) {
      Step& step = *steps_++;
      const fb::Instruction& instruction = *instructions.Get(i);
      if (const auto* call = instruction.instr_args_as_KernelCall()) {
        step.kind = Step::Kind::kKernel;
        step.index = static_cast<uint32_t>(call->op_index());
        step.kernel = tables.kernels[step.index];
        take_args(step, call->args());
      } else if (const auto* delegate = instruction.instr_args_as_DelegateCall()) {
        step.kind = Step::Kind::kDelegate;
        step.index = static_cast<uint32_t>(delegate->delegate_index());
        take_args(step, delegate->args());
      } else if (const auto* move = instruction.instr_args_as_MoveCall()) {
        step.kind = Step::Kind::kMove;
        take_one(step, move->move_from());
        take_one(step, move->move_to());
      } else if (const auto* jump = instruction.instr_args_as_JumpFalseCall()) {
        step.kind = Step::Kind::kJumpFalse;
        step.index = static_cast<uint32_t>(jump->destination_instruction());
        take_one(step, jump->cond_value_index());
      } else {
        take_one(step, instruction.instr_args_as_FreeCall()->value_index());
      }
    }
  }
  for (uint32_t i = 0; i < tables.names.size(); ++i) {
    const auto* op = plan_.operators()->Get(i);
    const char* overload = text_of(op->overload());
    tables.names[i] = name_bytes_;
    for (const char* part : {text_of(op->name()), overload[0] == '\0' ? "" : ".", overload}) {
      const size_t length = std::strlen(part);
      std::memcpy(name_bytes_, part, length);
      name_bytes_ += length;
    }
    *name_bytes_++ = '\0';
  }
}

// Notes which values change while the method runs, so that the others are checked once and for all.
void MethodLoader::mark_varying(const Step& step) {
  const auto mark = [&](const Value* target, uint8_t bit) {
    method_.tables_.varying[static_cast<size_t>(target - method_.tables_.values.data())] |= bit;
  };
  if (step.kind == Step::Kind::kMove) {
    mark(step.args[1], kChanges);
  } else if (step.kind == Step::Kind::kKernel) {
    const size_t count =
        step.kernel->arg_count < step.arg_count ? step.kernel->arg_count : step.arg_count;
    for (size_t i = 0; i < count; ++i) {
      if (step.kernel->codes[i] == ArgCode::kOutValue) {
        mark(step.args[i], kChanges);
      }
    }
  }
}

bool MethodLoader::varies(const Value* value) const {
  const auto changes = [&](const Value* v) {
    return (method_.tables_.varying[static_cast<size_t>(v - method_.tables_.values.data())] &
            kChanges) != 0;
  };
  switch (value->kind()) {
    case Value::Kind::kTensor:
      return value->as_tensor()->dynamism() != Dynamism::kStatic;
    case Value::Kind::kTensorList:
      for (const Tensor* item : value->as_tensors()) {
        if (item != nullptr && item->dynamism() != Dynamism::kStatic) {
          return true;
        }
      }
      return changes(value);
    case Value::Kind::kIntList:
      for (uint32_t i = 0; i < value->int_list()->size; ++i) {
        if (changes(value->int_list()->items[i])) {
          return true;
        }
      }
      return changes(value);
    default:
      return changes(value);
  }
}

bool MethodLoader::lacks_data(const Value* value) const {
  const auto lacks = [](const Tensor* tensor) {
    return tensor != nullptr && tensor->raw_data() == nullptr && tensor->capacity_bytes() != 0;
  };
  if (value->is_tensor()) {
    return lacks(value->as_tensor());
  }
  if (value->kind() == Value::Kind::kTensorList) {
    for (const Tensor* item : value->as_tensors()) {
      if (lacks(item)) {
        return true;
      }
    }
  }
  return false;
}

Status MethodLoader::check_steps() {
  MethodTables& tables = method_.tables_;
  for (const MethodTables::Chain& chain : tables.chains) {
    for (uint32_t i = 0; i < chain.count; ++i) {
      mark_varying(chain.steps[i]);
    }
  }
  CRESSET_TRY(follow_views());
  for (const MethodTables::Chain& chain : tables.chains) {
    for (uint32_t i = 0; i < chain.count; ++i) {
      Step& step = chain.steps[i];
      for (uint32_t k = 0; k < step.arg_count; ++k) {
        step.flags |= lacks_data(step.args[k]) ? Step::kCheckData : 0;
      }
      if (step.kind == Step::Kind::kKernel) {
        CRESSET_TRY(check_kernel_step(i, step));
      } else if (step.kind == Step::Kind::kMove) {
        CRESSET_TRY(check_move_step(i, step));
      }
    }
  }
  return Status::kOk;
}

bool MethodLoader::is_constant(size_t index) const {
  const auto is_constant_tensor = [&](int64_t at) {
    const auto* tensor = plan_.values()->Get(static_cast<uint32_t>(at))->val_as_Tensor();
    return tensor != nullptr &&
           (tensor_info(*tensor).constant ||
            (method_.tables_.varying[static_cast<size_t>(at)] & kSeesConstant) != 0);
  };
  if (is_constant_tensor(static_cast<int64_t>(index))) {
    return true;
  }
  const auto* list = plan_.values()->Get(static_cast<uint32_t>(index))->val_as_TensorList();
  for (uint32_t i = 0; list != nullptr && i < list->items()->size(); ++i) {
    if (is_constant_tensor(list->items()->Get(i))) {
      return true;
    }
  }
  return false;
}

// A view of a constant must not be written to either; neither must a view of such a view.
Status MethodLoader::follow_views() {
  const Value* first = method_.tables_.values.data();
  for (int round = 0; round < kMaxViewRounds; ++round) {
    bool changed = false;
    for (const MethodTables::Chain& chain : method_.tables_.chains) {
      for (uint32_t i = 0; i < chain.count; ++i) {
        const Step& step = chain.steps[i];
        if (!is_view(step) || step.arg_count != step.kernel->arg_count) {
          continue;
        }
        uint8_t& out = method_.tables_.varying[static_cast<size_t>(step.args[2] - first)];
        if ((out & kSeesConstant) == 0 && is_constant(static_cast<size_t>(step.args[0] - first))) {
          out |= kSeesConstant;
          changed = true;
        }
      }
    }
    if (!changed) {
      return Status::kOk;
    }
  }
  return fail(Status::kNotSupported, "views of views of constants, without end");
}

Status MethodLoader::check_kernel_step(uint32_t at, Step& step) {
  const ops::Kernel& kernel = *step.kernel;
  const auto fail_step = [&](Status status, const char* reason) {
    return fail(status, "instruction {} ({}{}{}): {}", at, kernel.name,
                kernel.overload[0] == '\0' ? "" : ".", kernel.overload, reason);
  };
  // Behind the kernel's arguments stands a return slot that repeats the outputs; numbers have none.
  const bool number = kernel.arg_count != 0 && kernel.out_count != 0 &&
                      kernel.codes[kernel.arg_count - 1] == ArgCode::kOutValue;
  const uint32_t expected = kernel.arg_count + (is_prim(&kernel) || number ? 0u : 1u);
  MessageBuffer<160> reason;
  if (step.arg_count != expected) {
    reason.append("{} arguments, expected {}", step.arg_count, expected);
    return fail_step(Status::kInvalidProgram, reason.text());
  }
  step.arg_count = kernel.arg_count;
  if (!ok(ops::check_args(kernel, step.args, kernel.arg_count, &reason))) {
    return fail(Status::kInvalidProgram, "instruction {}: {}", at, reason.text());
  }
  bool dynamic = false;
  for (size_t i = 0; i < kernel.arg_count; ++i) {
    dynamic = dynamic || (kernel.codes[i] != ArgCode::kOutValue && varies(step.args[i]));
    if (writes(kernel.codes[i]) &&
        is_constant(static_cast<size_t>(step.args[i] - method_.tables_.values.data()))) {
      reason.append("argument {} is a constant, but is written to", i);
      return fail_step(Status::kInvalidProgram, reason.text());
    }
  }
  if (kernel.infer == nullptr) {
    return Status::kOk;
  }
  if (dynamic) {
    step.flags |= Step::kInfer;
    return Status::kOk;
  }
  ops::RuntimeInfer context(step.args, kernel.arg_count, kernel.out_count, &reason);
  const Status status = kernel.infer(context);
  return ok(status) ? status : fail_step(Status::kInvalidProgram, reason.text());
}

// Tensors move by content: the target keeps the memory that was planned for it.
Status MethodLoader::check_move_step(uint32_t at, const Step& step) {
  if (!step.args[0]->is_tensor()) {
    return Status::kOk;
  }
  const Tensor& from = *step.args[0]->as_tensor();
  const Tensor& to = *step.args[1]->as_tensor();
  const bool fixed = from.dynamism() == Dynamism::kStatic && to.dynamism() == Dynamism::kStatic;
  if (from.dtype() != to.dtype() || from.rank() != to.rank() ||
      (fixed && !equal(from.sizes(), to.sizes())) ||
      is_constant(static_cast<size_t>(step.args[1] - method_.tables_.values.data()))) {
    return fail(Status::kInvalidProgram, "instruction {}: {} {} cannot move into {} {}", at,
                from.dtype(), from.sizes(), to.dtype(), to.sizes());
  }
  return Status::kOk;
}

Status MethodLoader::plan_scratch() {
  size_t needed = 0;
  for (const MethodTables::Chain& chain : method_.tables_.chains) {
    for (uint32_t i = 0; i < chain.count; ++i) {
      const Step& step = chain.steps[i];
      if (step.kind == Step::Kind::kKernel && step.kernel->scratch != nullptr) {
        const size_t bytes = step.kernel->scratch(step.args);
        needed = bytes > needed ? bytes : needed;
      }
    }
  }
  if (needed > method_.scratch_.size()) {
    // The program was planned for kernels with less, or by a compiler that knows no scratch.
    void* memory = method_.arena_.allocate(needed, DataLoader::kDataAlignment);
    if (memory == nullptr) {
      return fail(Status::kMemoryAllocationFailed,
                  "the method arena needs {} bytes ({} of them kernels' scratch memory), given {}",
                  method_.arena_.used(), needed, method_.arena_.capacity());
    }
    method_.scratch_ = {static_cast<uint8_t*>(memory), needed};
  }
  return Status::kOk;
}

Status MethodLoader::make_delegates() {
  Arena& arena = method_.arena_;
  const NamedDataMap* outside = method_.options_.data;
  method_.data_maps_[0] = method_.program_;
  method_.data_maps_[1] = outside;
  method_.delegate_data_ =
      JoinedDataMap({method_.data_maps_, size_t{outside == nullptr ? 1u : 2u}});
  for (uint32_t i = 0; i < method_.tables_.delegates.size(); ++i) {
    const auto& flat = *plan_.delegates()->Get(i);
    Backend* backend = nullptr;
    for (Backend* candidate : method_.options_.backends) {
      if (backend == nullptr && std::strcmp(candidate->id(), text_of(flat.id())) == 0) {
        backend = candidate;
      }
    }
    if (backend == nullptr) {
      const char* id = text_of(flat.id());
      (void)fail(
          Status::kNotFound,
          "unknown delegate {}: build with its backend (docs/write_a_backend.md) and hand it "
          "to Method::load, or compile the model without it; backends here:",
          id);
      for (Backend* candidate : method_.options_.backends) {
        message_.append(" {}", candidate->id());
      }
      message_.append(method_.options_.backends.empty() ? " none" : "");
      return Status::kNotFound;
    }
    const uint32_t spec_count = size_of(flat.compile_specs());
    CompileSpec* specs = arena.allocate_array<CompileSpec>(spec_count);
    if (spec_count != 0 && specs == nullptr) {
      CRESSET_TRY(check_arena());
    }
    for (uint32_t k = 0; k < spec_count; ++k) {
      const auto& spec = *flat.compile_specs()->Get(k);
      specs[k].key = text_of(spec.key());
      if (spec.value() != nullptr) {
        specs[k].value = {spec.value()->data(), spec.value()->size()};
      }
    }
    Span<const uint8_t> processed;
    if (flat.processed()->location() == fb::DataLocation::INLINE) {
      const auto& data =
          *method_.program_->flat().backend_delegate_data()->Get(flat.processed()->index())->data();
      processed = {data.data(), data.size()};
    } else {
      const auto segment = method_.program_->load_segment(flat.processed()->index());
      if (!segment.ok()) {
        return fail(segment.status(), "cannot read the data of delegate {} ({}): {}", i,
                    text_of(flat.id()), segment.status());
      }
      processed = *segment;
    }
    MessageBuffer<192> reason;
    const DelegateInit init = {text_of(plan_.name()), &method_.delegate_data_, &arena,
                               method_.options_.parallel, &reason};
    MethodTables::Delegate& delegate = method_.tables_.delegates[i];
    const Status status = backend->init(init, processed, {specs, spec_count}, &delegate.handle);
    if (status == Status::kMemoryAllocationFailed && arena.used() > arena.capacity()) {
      continue;  // the others say what they need as well
    }
    if (!ok(status)) {
      return fail(status, "delegate {} ({}): {}", i, text_of(flat.id()),
                  reason.length() == 0 ? status_text(status) : reason.text());
    }
    delegate.backend = backend;
    delegate.alive = true;
  }
  return arena.used() > arena.capacity() ? check_arena() : Status::kOk;
}

}  // namespace cresset
