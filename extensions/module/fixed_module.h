// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/message.h"
#include "core/tensor.h"
#include "extensions/data/memory_loader.h"
#include "runtime/method.h"
#include "runtime/program.h"

namespace cresset {

// One method of a program, loaded into one block of memory of the application's: what a
// microcontroller needs, in five lines.
//
//   alignas(16) static uint8_t memory[20000];
//   FixedModule module;
//   if (!ok(module.load(program_bytes, memory, options))) { show(module.error()); }
//   ok(module.set_input(0, x)) && ok(module.run());
//   const float* y = module.output(0).data<float>();
//
// Owns nothing: program, memory, kernels and backends outlive it. Not thread-safe.
class FixedModule {
 public:
  FixedModule() = default;
  FixedModule(const FixedModule&) = delete;
  FixedModule& operator=(const FixedModule&) = delete;

  // Loads `method` of the program file in `program`. `memory` is cut into the method's arena and
  // its planned buffers, each at a multiple of 16; memory_needed() says how much suffices.
  Status load(Span<const uint8_t> program, Span<uint8_t> memory, const MethodOptions& options,
              const char* method = "forward");

  // After load(), also one that failed for want of memory: bytes that suffice, from a multiple
  // of 16.
  size_t memory_needed() const { return memory_needed_; }

  // As Method's.
  Status set_input(size_t index, const Tensor& tensor);
  Status run() { return method_.execute(); }
  const Tensor& output(size_t index) const { return *method_.output(index).as_tensor(); }
  Method& method() { return method_; }
  const Program& program() const { return program_; }

  // Why the last call failed.
  const char* error() const { return message_.text(); }

 private:
  static constexpr size_t kMaxBuffers = 8;
  static constexpr size_t kAlignment = DataLoader::kDataAlignment;

  MemoryLoader loader_{Span<const uint8_t>()};
  MessageBuffer<256> message_;
  Program program_;
  Span<uint8_t> planned_[kMaxBuffers];
  Method method_;
  size_t memory_needed_ = 0;
};

}  // namespace cresset
