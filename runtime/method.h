// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/arena.h"
#include "core/message.h"
#include "core/span.h"
#include "core/value.h"
#include "ops/kernel_table.h"
#include "runtime/backend.h"
#include "runtime/flat_tensor_map.h"
#include "runtime/named_data.h"
#include "runtime/program.h"

namespace cresset {

struct InputRange;

// Memory that the caller lends to a method for its whole life.
struct MethodMemory {
  // For the method's values and instructions: method_arena_bytes() of them, at a multiple of 16.
  Span<uint8_t> arena;
  // The planned buffers, in the order and of at least the sizes that MethodMeta states, each at a
  // multiple of 16 (or of what the program's compiler was told, if it wanted more).
  Span<const Span<uint8_t>> planned;
  // Bit i: planned buffer i is shared with a method that is loaded already; its contents stay.
  uint64_t keep_contents = 0;
};

// What a method runs with. Everything outlives the method.
struct MethodOptions {
  ops::KernelTables kernels;             // searched in order: ours, then the application's
  Backends backends;                     // may be empty
  EventSink* events = nullptr;           // null: nobody listens
  ParallelFor* parallel = nullptr;       // null: one thread
  const NamedDataMap* data = nullptr;    // external weights (.ptd); null: none
  uint64_t max_instructions = 10000000;  // an execute() that passes them is stopped
};

// Bytes of MethodMemory::arena for that method, at a multiple of 16. Delegates, and kernels whose
// scratch memory the program does not plan, may need more: load() then fails and says how much in
// arena_needed(). `with_events`: whether an event sink will listen. `pointer_bytes` (4 or 8) is for
// asking on a host about a device. kNotFound: no such method.
Result<size_t> method_arena_bytes(const Program& program, const char* method,
                                  bool with_events = false, size_t pointer_bytes = sizeof(void*));

// One instruction, ready to run.
struct Step {
  enum class Kind : uint8_t { kKernel, kDelegate, kMove, kJumpFalse, kFree };
  enum Flag : uint8_t {
    kInfer = 1,      // shapes may change: infer and resize before the call
    kCheckData = 2,  // some tensor gets its memory after load
  };

  const ops::Kernel* kernel = nullptr;
  Value** args = nullptr;
  uint32_t arg_count = 0;
  uint32_t index = 0;  // of the operator or delegate; where a jump goes, in its chain
  Kind kind = Kind::kFree;
  uint8_t flags = 0;
};

// The tables of a loaded method, all in its arena or in the program.
struct MethodTables {
  struct Chain {
    Step* steps = nullptr;
    uint32_t count = 0;
  };
  struct Delegate {
    Backend* backend = nullptr;
    void* handle = nullptr;
    bool alive = false;
  };

  Span<Value> values;
  Span<Chain> chains;
  Span<Delegate> delegates;
  Span<const ops::Kernel*> kernels;  // by operator index; null where the chains never call it
  Span<const char*> names;           // by operator index, joined; empty unless events are wanted
  Span<uint8_t> input_set;
  Span<uint8_t> varying;  // by value: changes after load
};

// An entry point of a program, loaded and ready to run. One thread at a time; methods of one
// program are independent. Owns nothing: memory, program, kernels and backends outlive it.
//
//   Method method;
//   CRESSET_TRY(method.load(program, "forward", memory, options, message));
//   CRESSET_TRY(method.set_input(0, Value::of_tensor(&x)));
//   CRESSET_TRY(method.execute());
//   const Tensor& y = *method.output(0).as_tensor();
//
// State (mutable buffers) keeps its values from one execute() to the next. After an error the
// method can be used again; what an interrupted execute() has already written to the state stays
// written.
class Method {
 public:
  Method() = default;
  ~Method();
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  // Binds values to memory, resolves operators, makes the delegates, checks every call's arguments
  // and every static shape. All operators that are missing are listed in one message. `message` is
  // kept for errors of later calls. Once only; a failed load may be repeated, with more memory for
  // instance.
  Status load(const Program& program, const char* name, const MethodMemory& memory,
              const MethodOptions& options, Message& message);

  bool loaded() const { return loaded_; }
  // After load(), also a failed one: bytes of arena that this method takes.
  size_t arena_needed() const { return arena_.used(); }
  MethodMeta meta() const { return MethodMeta(plan_); }

  // Sets input `index`. A tensor must have the dtype and rank of the program's, sizes within its
  // bounds, and is copied, whatever its dim order, where the input is planned; an unplanned input
  // refers to the caller's memory until the next set_input and must have the program's dim order.
  // A number must be the one that the model was exported with. kInvalidArgument otherwise, with the
  // input's index, got and expected.
  Status set_input(size_t index, const Value& value);
  size_t input_count() const { return meta().input_count(); }
  // The input's register; the tensor behind it says which shape it has now.
  const Value& input(size_t index) const;

  // Lends memory to an unplanned output, for all further calls.
  Status set_output_memory(size_t index, void* data, size_t bytes);

  // Runs the method. All inputs must have been set once; they keep their values.
  Status execute();

  size_t output_count() const { return meta().output_count(); }
  // Valid until the next execute() or set_input().
  const Value& output(size_t index) const;

  // Gives the state its initial values, as after load().
  Status reset();

 private:
  friend class MethodLoader;

  struct Frame;  // where execution stands, for errors and events

  Status check_ready();
  Status run_chain(uint32_t chain, uint64_t* instructions_left);
  Status run_step(Frame& frame, Step& step, uint32_t* next);
  Status call_kernel(Frame& frame, Step& step);
  Status call_delegate(Frame& frame, Step& step);
  Status move(Frame& frame, Step& step);
  Status jump(Frame& frame, Step& step, uint32_t* next);
  Status explain(const Frame& frame, Status status, const char* reason);
  Status check_data(const Frame& frame, const Step& step);
  void emit_values(const EventSource& source, const Step& step);
  uint32_t debug_handle(uint32_t chain, uint32_t instruction) const;
  Status check_symbols();
  Status check_relations();
  Status check_range(const InputRange& range, int64_t given);
  bool ranged_size(const InputRange& range, int64_t* size) const;
  bool steps_of(const InputRange& range, int64_t* steps) const;
  void append_place(const InputRange& range);
  Status set_tensor_input(size_t index, const Tensor& source);
  Status set_number_input(size_t index, const Value& value);
  void append_number(const Value& value);
  void destroy_delegates();

  bool loaded_ = false;
  const Program* program_ = nullptr;
  const schema::program::ExecutionPlan* plan_ = nullptr;
  MethodMemory memory_;
  MethodOptions options_;
  Message* message_ = nullptr;
  Arena arena_;
  MethodTables tables_;
  Span<uint8_t> scratch_;
  Span<const uint8_t> debug_handles_;  // u32 each, of the first chain
  Span<const uint8_t> input_ranges_;   // records, see input_ranges.h
  Span<const uint8_t> input_relations_;
  const NamedDataMap* data_maps_[2] = {};  // the program, then data files
  JoinedDataMap delegate_data_{{}};        // both, for delegates
};

}  // namespace cresset
