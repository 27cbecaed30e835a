// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/graph.h"

// A method as a machine executes it: registers and steps in order, control flow flattened into
// jumps. What linearize makes of a graph, plan_memory places, and the emitter writes.
namespace cresset::ir {

// One value of a program file.
struct Register {
  enum class Kind : uint8_t { kNone, kTensor, kInt, kDouble, kBool, kString };
  enum class Storage : uint8_t {
    kPlanned,   // in an arena
    kConstant,  // bytes in the file
    kState,     // in an arena, keeps its contents between calls, starts as `constant`
  };

  Kind kind = Kind::kTensor;
  Storage storage = Storage::kPlanned;
  std::string name;
  TensorType type;             // of a tensor; symbolic sizes
  std::vector<int32_t> sizes;  // upper bounds of type.sizes
  bool dynamic = false;        // sizes vary below the bounds
  ConstantPtr constant;
  std::string state_name;     // fully qualified, of kState
  bool shared_state = false;  // one memory for all methods of the program, placed by share_state
  Argument literal;           // initial value of a number, bool or string
  Dim value;                  // of an int that the caller gives: what it is in terms of symbols

  uint64_t size_bytes = 0;  // at the bounds
  uint32_t block = 0;       // registers of one block share memory (index of its first register)
  uint32_t first_step = 0;  // written or first used
  uint32_t last_step = 0;   // last used, inclusive
  uint32_t arena = 0;       // filled by plan_memory, like offset_bytes
  uint64_t offset_bytes = 0;
};

// What a step hands to a kernel in one place: a register, a literal, or a list of either.
struct Operand {
  std::variant<uint32_t, Argument, std::vector<Operand>> data;

  Operand(uint32_t reg) : data(reg) {}                             // NOLINT(runtime/explicit)
  Operand(Argument literal) : data(std::move(literal)) {}          // NOLINT(runtime/explicit)
  Operand(std::vector<Operand> items) : data(std::move(items)) {}  // NOLINT(runtime/explicit)
  bool is_register() const { return std::holds_alternative<uint32_t>(data); }
  bool is_list() const { return std::holds_alternative<std::vector<Operand>>(data); }
  uint32_t reg() const { return std::get<uint32_t>(data); }
  const Argument& literal() const { return std::get<Argument>(data); }
  const std::vector<Operand>& list() const { return std::get<std::vector<Operand>>(data); }
};

// A subgraph as its backend compiled it.
struct Delegate {
  std::string backend;                                     // the id that runtimes know
  std::vector<std::pair<std::string, std::string>> specs;  // options for the backend, key and value
  ConstantPtr blob;
  std::vector<ConstantPtr> data;  // what the blob refers to by name; equal names are equal bytes
};

struct Step {
  enum class Kind : uint8_t { kKernel, kDelegate, kMove, kJumpFalse };
  Kind kind = Kind::kKernel;
  const ops::OpInfo* info = nullptr;  // of a kernel call
  uint32_t delegate = 0;              // of a delegate call: index into Schedule::delegates
  std::vector<Operand> operands;      // of either call: kernel-form order, outputs last
  size_t out_count = 0;               // how many of them are outputs
  uint32_t from = 0, to = 0;          // registers of a move; `from` is the condition of a jump
  uint32_t target = 0;                // of a jump: a step, or the number of steps for the end
  uint32_t debug_handle = 0;
  Source source;
};

struct Schedule {
  std::string name;
  std::vector<Register> registers;
  std::vector<Step> steps;
  std::vector<Delegate> delegates;
  std::vector<uint32_t> inputs, outputs;
  std::string in_spec, out_spec;
  Ranges size_ranges;  // by Dim::text(), of the inputs' symbolic sizes and their symbols
  // Filled by plan_memory.
  std::vector<uint64_t> arena_bytes;  // [0] is the activations' arena
  uint64_t lower_bound_bytes = 0;     // of arena 0: no plan is smaller
  uint64_t scratch_bytes = 0;         // the largest need of any step
};

}  // namespace cresset::ir
