// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/method.h"

#include <cstring>

#include "runtime/copy_elements.h"
#include "runtime/method_loader.h"

namespace cresset {

struct Method::Frame {
  uint32_t chain;
  uint32_t instruction;
  const char* name;  // for events; null where nobody listens
  Message* reason;   // for kernels and delegates; the method adds where it happened
};

Method::~Method() { destroy_delegates(); }

void Method::destroy_delegates() {
  for (MethodTables::Delegate& delegate : tables_.delegates) {
    if (delegate.alive) {
      delegate.backend->destroy(delegate.handle);
      delegate.alive = false;
    }
  }
}

Status Method::load(const Program& program, const char* name, const MethodMemory& memory,
                    const MethodOptions& options, Message& message) {
  CRESSET_CHECK(program.loaded());
  if (loaded_) {
    return message.fail(Status::kInvalidState, "method {} is loaded already", meta().name());
  }
  message.clear();
  message_ = &message;
  program_ = &program;
  plan_ = program.plan(name);
  if (plan_ == nullptr) {
    (void)message.fail(Status::kNotFound, "no method {}; the program has:", name);
    for (size_t i = 0; i < program.method_count(); ++i) {
      message.append(" {}", program.method_name(i));
    }
    return Status::kNotFound;
  }
  memory_ = memory;
  options_ = options;
  arena_ = Arena(memory.arena);
  tables_ = MethodTables();
  scratch_ = {};
  Status status = MethodLoader(*this, *plan_, message).run();
  if (ok(status)) {
    status = MethodLoader::initialise_state(*this, memory.keep_contents, message);
  }
  if (!ok(status)) {
    if (arena_.used() <= arena_.capacity()) {
      destroy_delegates();
    }
    tables_ = MethodTables();
    return status;
  }
  // Numbers are fixed in the program: there is nothing to set.
  for (size_t i = 0; i < tables_.input_set.size(); ++i) {
    tables_.input_set[i] = !input(i).is_tensor();
  }
  loaded_ = true;
  return Status::kOk;
}

Status Method::reset() { return MethodLoader::initialise_state(*this, 0, *message_); }

Status Method::execute() {
  CRESSET_CHECK(loaded_);
  message_->clear();
  CRESSET_TRY(check_ready());
  if (options_.events != nullptr) {
    options_.events->begin_method(meta().name());
  }
  Status status = Status::kOk;
  uint64_t left = options_.max_instructions;
  for (uint32_t i = 0; ok(status) && i < tables_.chains.size(); ++i) {
    status = run_chain(i, &left);
  }
  if (options_.events != nullptr) {
    options_.events->end_method(meta().name());
  }
  return status;
}

Status Method::run_chain(uint32_t chain, uint64_t* instructions_left) {
  const MethodTables::Chain& steps = tables_.chains[chain];
  MessageBuffer<256> reason;
  for (uint32_t at = 0; at < steps.count;) {
    Step& step = steps.steps[at];
    Frame frame = {chain, at, nullptr, &reason};
    if ((*instructions_left)-- == 0) {
      *instructions_left = 0;
      reason.append("stopped after {} instructions: does a loop never end?",
                    options_.max_instructions);
      return explain(frame, Status::kOutOfResources, reason.text());
    }
    uint32_t next = at + 1;
    Status status = Status::kOk;
    if (options_.events == nullptr) {
      status = run_step(frame, step, &next);
    } else {
      EventSource source;
      source.chain = chain;
      source.instruction = at;
      source.debug_handle = debug_handle(chain, at);
      source.name = step.kind == Step::Kind::kKernel      ? tables_.names[step.index]
                    : step.kind == Step::Kind::kDelegate  ? meta().delegate_id(step.index)
                    : step.kind == Step::Kind::kMove      ? "move"
                    : step.kind == Step::Kind::kJumpFalse ? "jump"
                                                          : "free";
      options_.events->begin_instruction(source);
      status = run_step(frame, step, &next);
      if (ok(status) && options_.events->wants_values()) {
        emit_values(source, step);
      }
      options_.events->end_instruction(source);
    }
    CRESSET_TRY(status);
    at = next;
  }
  return Status::kOk;
}

Status Method::run_step(Frame& frame, Step& step, uint32_t* next) {
  switch (step.kind) {
    case Step::Kind::kKernel:
      return call_kernel(frame, step);
    case Step::Kind::kDelegate:
      return call_delegate(frame, step);
    case Step::Kind::kMove:
      return move(frame, step);
    case Step::Kind::kJumpFalse:
      return jump(frame, step, next);
    case Step::Kind::kFree:
      break;  // planned memory is not given back
  }
  return Status::kOk;
}

Status Method::check_data(const Frame& frame, const Step& step) {
  if ((step.flags & Step::kCheckData) == 0) {
    return Status::kOk;
  }
  const auto lacks = [](const Tensor* tensor) {
    return tensor != nullptr && tensor->raw_data() == nullptr && tensor->capacity_bytes() != 0;
  };
  for (uint32_t i = 0; i < step.arg_count; ++i) {
    bool lacking = step.args[i]->is_tensor() && lacks(step.args[i]->as_tensor());
    if (step.args[i]->kind() == Value::Kind::kTensorList) {
      for (const Tensor* item : step.args[i]->as_tensors()) {
        lacking = lacking || lacks(item);
      }
    }
    // The kernel gives the result of a view its memory.
    if (lacking && !(step.kernel != nullptr && step.kernel->codes[i] == ops::ArgCode::kOutTensor &&
                     std::strcmp(step.kernel->name, "executorch_prim::et_view") == 0)) {
      return explain(frame, Status::kInvalidState, "a tensor has no memory");
    }
  }
  return Status::kOk;
}

Status Method::call_kernel(Frame& frame, Step& step) {
  CRESSET_TRY(check_data(frame, step));
  const ops::Kernel& kernel = *step.kernel;
  if ((step.flags & Step::kInfer) != 0) {
    ops::RuntimeInfer context(step.args, kernel.arg_count, kernel.out_count, frame.reason);
    const Status status = kernel.infer(context);
    if (!ok(status)) {
      return explain(frame, status, frame.reason->text());
    }
  }
  KernelContext context(frame.reason, scratch_, options_.parallel, options_.events);
  const Status status = kernel.call(context, step.args);
  return ok(status) ? status : explain(frame, status, frame.reason->text());
}

Status Method::call_delegate(Frame& frame, Step& step) {
  CRESSET_TRY(check_data(frame, step));
  const MethodTables::Delegate& delegate = tables_.delegates[step.index];
  DelegateRun run = {options_.events, {}, options_.parallel, frame.reason};
  run.source = {frame.chain, frame.instruction, debug_handle(frame.chain, frame.instruction),
                delegate.backend->id()};
  const Status status =
      delegate.backend->execute(run, delegate.handle, {step.args, step.arg_count});
  return ok(status) ? status : explain(frame, status, frame.reason->text());
}

Status Method::move(Frame& frame, Step& step) {
  CRESSET_TRY(check_data(frame, step));
  if (!step.args[0]->is_tensor()) {
    *step.args[1] = *step.args[0];
    return Status::kOk;
  }
  const Tensor& from = *step.args[0]->as_tensor();
  Tensor& to = *step.args[1]->as_tensor();
  if (!ok(to.resize(from.sizes()))) {
    frame.reason->append("a tensor of shape {} cannot take {}", to.sizes(), from.sizes());
    return explain(frame, Status::kInvalidArgument, frame.reason->text());
  }
  copy_elements(from, to);
  return Status::kOk;
}

Status Method::jump(Frame& frame, Step& step, uint32_t* next) {
  CRESSET_TRY(check_data(frame, step));
  bool condition = true;
  if (step.args[0]->is_tensor()) {
    const Tensor& tensor = *step.args[0]->as_tensor();
    const uint8_t* items = tensor.data<uint8_t>();
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      condition = condition && items[i] != 0;
    }
  } else {
    condition = step.args[0]->as_scalar().to_bool();
  }
  if (!condition) {
    *next = step.index;
  }
  return Status::kOk;
}

uint32_t Method::debug_handle(uint32_t chain, uint32_t instruction) const {
  return chain != 0 || instruction >= debug_handles_.size() / 4
             ? 0
             : read_le32(debug_handles_.data() + size_t{4} * instruction);
}

// "method forward, instruction 3 (aten::add.out), node 17, model.py:12: the reason"
Status Method::explain(const Frame& frame, Status status, const char* reason) {
  const Step& step = tables_.chains[frame.chain].steps[frame.instruction];
  message_->clear();
  message_->append("method {}, instruction {}", meta().name(), frame.instruction);
  if (step.kind == Step::Kind::kKernel) {
    const char* overload = step.kernel->overload;
    message_->append(" ({}{}{})", step.kernel->name, overload[0] == '\0' ? "" : ".", overload);
  } else if (step.kind == Step::Kind::kDelegate) {
    message_->append(" (delegate {})", meta().delegate_id(step.index));
  }
  const uint32_t handle = debug_handle(frame.chain, frame.instruction);
  if (handle != 0) {
    message_->append(", node {}", handle);
  }
  const auto* traces = plan_->chains()->Get(frame.chain)->stacktrace();
  if (size_of(traces) > frame.instruction) {
    const auto* frames = traces->Get(frame.instruction)->items();
    if (size_of(frames) != 0) {
      const auto* innermost = frames->Get(frames->size() - 1);
      message_->append(", {}:{}", text_of(innermost->filename()), innermost->lineno());
    }
  }
  message_->append(": {}", reason[0] == '\0' ? status_text(status) : reason);
  return status;
}

void Method::emit_values(const EventSource& source, const Step& step) {
  uint32_t index = 0;
  for (uint32_t i = 0; step.kind == Step::Kind::kKernel && i < step.arg_count; ++i) {
    switch (step.kernel->codes[i]) {
      case ops::ArgCode::kMutableTensor:
      case ops::ArgCode::kOutTensor:
      case ops::ArgCode::kOutTensors:
      case ops::ArgCode::kOutValue:
        options_.events->value(source, index++, *step.args[i]);
        break;
      default:
        break;
    }
  }
  if (step.kind == Step::Kind::kMove) {
    options_.events->value(source, 0, *step.args[1]);
  }
}

}  // namespace cresset
