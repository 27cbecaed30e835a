// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/example/format.h"
#include "compiler/partitioner/backend_compiler.h"
#include "runtime/backend.h"

namespace cresset::tests {

// The example backend with one fault built in, outside of its own code.
enum class Fault {
  kNone,
  // The compiler half writes something else into the blob.
  kIgnoresAlpha,
  kIgnoresBias,
  kIgnoresUpperLimit,
  kIgnoresPadding,  // of the second dimension: takes the first's
  kIgnoresStride,   // likewise
  kSwapsOperands,
  // The table claims more than the halves do.
  kIgnoresDilation,
  kIgnoresMemoryOrder,  // takes channels-last for row-major
  kMisreadsDtype,       // takes i32 for f32
  // The runtime half.
  kWrongBroadcast,    // only the first element of the smaller operand
  kStaleOutput,       // computes the first call only
  kKeepsLargestSize,  // outputs do not follow dynamic sizes
  kSharesState,       // what the last init made serves all delegates
  kNotThreadSafe,     // copies an input through one buffer for all
  kLeaks,
  kTakesHeapMemory,  // in execute
  kWritesBehindArena,
  kArenaNeedTooLow,  // says less than it needs
  kTakesOtherVersions,
  kTakesDamagedBlobs,
  kTakesWrongShapes,  // gives no error where it has one
  kWritesBeforeFailing,
  kCount,
};

const char* fault_name(Fault fault);

class FaultyCompiler final : public partitioner::BackendCompiler {
 public:
  explicit FaultyCompiler(Fault fault);
  std::string name() const override { return "example"; }
  std::string id() const override { return "ExampleBackend"; }
  Span<const partitioner::SupportedOp> supported() const override {
    return {rows_.data(), rows_.size()};
  }
  bool takes_dynamic_sizes() const override { return true; }
  Expected<partitioner::CompiledDelegate> compile(const ir::Graph& graph) const override;

 private:
  Fault fault_;
  std::vector<partitioner::SupportedOp> rows_;
};

class FaultyRuntime final : public Backend {
 public:
  explicit FaultyRuntime(Fault fault) : fault_(fault) {}
  const char* id() const override { return "ExampleBackend"; }
  Status init(const DelegateInit& init, Span<const uint8_t> processed,
              Span<const CompileSpec> specs, void** handle) override;
  Status execute(const DelegateRun& run, void* handle, Span<Value* const> args) override;
  void destroy(void* handle) override;

 private:
  Fault fault_;
};

}  // namespace cresset::tests
