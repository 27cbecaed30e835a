// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/pipeline.h"
#include "core/parallel.h"
#include "extensions/data/host_value.h"
#include "extensions/data/memory_loader.h"
#include "extensions/module/value_conversion.h"
#include "runtime/method.h"

namespace cresset::tests {

using Values = std::vector<data::HostValue>;

struct ByteRange {
  size_t offset;
  size_t size;
};

// Memory of exactly `size` bytes at a multiple of 64, poisoned with 0xA5, and behind it bytes that
// must not change.
class Block {
 public:
  explicit Block(size_t size);
  // `kept` by ascending offset.
  void poison(const std::vector<ByteRange>& kept);
  Span<uint8_t> bytes() { return {memory_.get(), size_}; }
  bool intact() const;

 private:
  struct Free {
    void operator()(uint8_t* bytes) const;
  };
  std::unique_ptr<uint8_t[], Free> memory_;
  size_t size_;
};

// The kernels that programs are compiled for and run on.
ops::KernelTables portable_only();

// The method `forward` of a compiled program in memory of exactly the size that it asks for.
// Planned memory and outputs hold 0xA5 before each run, state and inputs excepted.
class Loaded {
 public:
  // `compiled` and `backend` outlive this.
  Loaded(const compiler::CompileResult& compiled, Backend* backend,
         ParallelFor* parallel = nullptr);

  // Loads with as much arena as the method says that it needs, or `less` bytes less; with `most`
  // bytes at most.
  Status load(size_t less = 0, size_t most = SIZE_MAX);
  Status run(const Values& inputs);
  Values outputs() const;

  const char* text() const { return message_.text(); }
  size_t arena_bytes() const { return arena_ == nullptr ? 0 : arena_bytes_; }
  // Whether all memory behind what was lent is as it was.
  bool intact() const;
  size_t execute_allocations() const { return execute_allocations_; }  // of the last run

 private:
  Status load_with(size_t arena_bytes);
  bool is_input(size_t output) const;

  Block file_;
  MemoryLoader loader_;
  MessageBuffer<1024> message_;
  Program program_;
  std::vector<Block> planned_;
  std::vector<std::vector<ByteRange>> kept_;  // of each: where state lies
  std::unique_ptr<Block> arena_;
  size_t arena_bytes_ = 0;
  std::vector<std::pair<size_t, Block>> outputs_;  // those that the program does not plan
  std::vector<std::unique_ptr<RuntimeValue>> inputs_;
  Backend* backend_;
  ops::KernelTables kernels_;
  ParallelFor* parallel_;
  size_t execute_allocations_ = 0;
  std::unique_ptr<Method> method_;
};

}  // namespace cresset::tests
