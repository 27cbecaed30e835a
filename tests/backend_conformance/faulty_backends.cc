// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/faulty_backends.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "backends/compilers.h"
#include "backends/registry.h"

namespace cresset::tests {

namespace {

namespace example = backends::example;

const partitioner::BackendCompiler& sound_compiler() {
  return *backends::find_compilers("example")->at(0);
}

Backend& sound_runtime() {
  for (Backend* backend : backends::enabled()) {
    if (std::strcmp(backend->id(), "ExampleBackend") == 0) {
      return *backend;
    }
  }
  std::abort();
}

// Changes the nodes of a blob.
void spoil(Fault fault, std::vector<uint8_t>& blob) {
  example::Header header;
  std::memcpy(&header, blob.data(), sizeof(header));
  uint8_t* at = blob.data() + sizeof(header) + header.value_count * sizeof(example::ValueRecord);
  for (uint32_t i = 0; i < header.node_count; ++i, at += sizeof(example::NodeRecord)) {
    example::NodeRecord node;
    std::memcpy(&node, at, sizeof(node));
    if (fault == Fault::kIgnoresAlpha && node.op == example::Op::kAdd) {
      node.numbers[0] = node.numbers[0] < 0 ? -1.0f : 1.0f;
    } else if (fault == Fault::kIgnoresBias) {
      node.in[2] = example::kNone;
    } else if (fault == Fault::kIgnoresUpperLimit && node.op == example::Op::kClamp) {
      node.numbers[1] = 1e30f;
    } else if (fault == Fault::kIgnoresPadding) {
      node.padding[1] = node.padding[0];
    } else if (fault == Fault::kIgnoresStride) {
      node.stride[1] = node.stride[0];
    } else if (fault == Fault::kSwapsOperands && node.op == example::Op::kAdd) {
      std::swap(node.in[0], node.in[1]);
    }
    std::memcpy(at, &node, sizeof(node));
  }
}

// A delegate of the example, and what the fault needs.
struct Wrapped {
  void* inner;
  int calls;
  uint8_t* copy;
};
void* last_handle = nullptr;
float shared_buffer[1 << 16];

// The arguments of execute, some seen as other tensors.
class Views {
 public:
  explicit Views(Span<Value* const> args) : count_(args.size()) {
    for (size_t i = 0; i < count_; ++i) {
      values_[i] = *args[i];
      pointers_[i] = &values_[i];
    }
  }
  void replace(size_t i, DType dtype, void* data) {
    const Tensor& tensor = *values_[i].as_tensor();
    tensors_[i].emplace(dtype, tensor.sizes(), data, tensor.capacity_bytes());
    values_[i] = Value::of_tensor(&**tensors_[i]);
  }
  Span<Value* const> args() const { return {pointers_, count_}; }

 private:
  static constexpr size_t kMost = 8;
  size_t count_;
  Value values_[kMost];
  Value* pointers_[kMost];
  std::optional<LocalTensor> tensors_[kMost];
};

bool float_tensor(const Value& value) {
  return value.is_tensor() && value.as_tensor()->dtype() == DType::kFloat32;
}

}  // namespace

const char* fault_name(Fault fault) {
  constexpr const char* kNames[] = {"none",
                                    "ignores alpha",
                                    "ignores the bias",
                                    "ignores the upper limit",
                                    "ignores padding",
                                    "ignores the stride",
                                    "swaps operands",
                                    "ignores dilation",
                                    "ignores the memory order",
                                    "misreads a dtype",
                                    "wrong broadcast",
                                    "stale output",
                                    "ignores dynamic sizes",
                                    "instances share state",
                                    "not thread-safe",
                                    "leaks",
                                    "takes heap memory in execute",
                                    "writes behind the arena",
                                    "says that it needs less arena",
                                    "takes other versions",
                                    "takes damaged blobs",
                                    "takes wrong shapes",
                                    "writes before it fails"};
  return kNames[static_cast<size_t>(fault)];
}

FaultyCompiler::FaultyCompiler(Fault fault) : fault_(fault) {
  const Span<const partitioner::SupportedOp> rows = sound_compiler().supported();
  rows_.assign(rows.begin(), rows.end());
  for (partitioner::SupportedOp& row : rows_) {
    for (std::string& claim : row.claims) {
      const size_t at = claim.find("f32");
      if (fault == Fault::kIgnoresDilation && claim.rfind("dilation", 0) == 0) {
        claim = "dilation: 1..";
      } else if (fault == Fault::kIgnoresMemoryOrder && at != std::string::npos) {
        claim += ", any order";
      } else if (fault == Fault::kMisreadsDtype && at != std::string::npos &&
                 row.op == ops::Op::relu) {
        claim.replace(at, 3, "f32 | i32");
      }
    }
  }
}

Expected<partitioner::CompiledDelegate> FaultyCompiler::compile(const ir::Graph& graph) const {
  auto compiled = sound_compiler().compile(graph);
  if (compiled.ok()) {
    spoil(fault_, compiled->blob);
  }
  return compiled;
}

Status FaultyRuntime::init(const DelegateInit& init, Span<const uint8_t> processed,
                           Span<const CompileSpec> specs, void** handle) {
  auto* wrapped = init.arena->allocate_array<Wrapped>(1);
  if (fault_ == Fault::kArenaNeedTooLow && wrapped == nullptr) {
    return Status::kMemoryAllocationFailed;
  }
  if (fault_ == Fault::kArenaNeedTooLow && init.arena->capacity() - init.arena->used() < 64) {
    init.arena->allocate(64);
    return Status::kMemoryAllocationFailed;
  }
  uint8_t* copy = nullptr;
  if (fault_ == Fault::kTakesOtherVersions && processed.size() >= sizeof(example::Header)) {
    copy = static_cast<uint8_t*>(std::malloc(processed.size()));
    std::memcpy(copy, processed.data(), processed.size());
    std::memcpy(copy + offsetof(example::Header, version), &example::kVersion,
                sizeof(example::kVersion));
    processed = {copy, processed.size()};
  }
  void* inner = nullptr;
  const Status status = sound_runtime().init(init, processed, specs, &inner);
  auto* const last = fault_ == Fault::kWritesBehindArena
                         ? static_cast<uint8_t*>(init.arena->allocate(16, 16))
                         : nullptr;
  const bool passes = ok(status) || (fault_ == Fault::kTakesDamagedBlobs &&
                                     status != Status::kMemoryAllocationFailed);
  if (!passes || wrapped == nullptr) {
    std::free(copy);
    return passes ? Status::kMemoryAllocationFailed : status;
  }
  inner = ok(status) ? inner : nullptr;
  if (last != nullptr) {
    std::memset(last, 1, 48);
  }
  if (fault_ == Fault::kLeaks) {
    *static_cast<volatile char*>(std::malloc(32)) = 1;
  }
  *wrapped = {inner, 0, copy};
  last_handle = inner;
  *handle = wrapped;
  return Status::kOk;
}

void FaultyRuntime::destroy(void* handle) { std::free(static_cast<Wrapped*>(handle)->copy); }

Status FaultyRuntime::execute(const DelegateRun& run, void* handle, Span<Value* const> args) {
  auto* wrapped = static_cast<Wrapped*>(handle);
  void* inner = fault_ == Fault::kSharesState ? last_handle : wrapped->inner;
  if (inner == nullptr || (fault_ == Fault::kStaleOutput && wrapped->calls++ > 0)) {
    return Status::kOk;
  }
  if (fault_ == Fault::kTakesHeapMemory) {
    void* const block = std::malloc(32);
    *static_cast<volatile char*>(block) = 1;
    std::free(block);
  }
  if (fault_ == Fault::kWritesBeforeFailing) {
    for (Value* value : args) {
      if (value == args[args.size() - 1] && float_tensor(*value)) {
        std::memset(value->as_tensor()->mutable_raw_data(), 0, value->as_tensor()->nbytes());
      }
    }
  }
  const bool keep_alone = args.size() == 0 || !args[0]->is_tensor();
  Status status;
  if (keep_alone || fault_ < Fault::kIgnoresMemoryOrder) {
    status = sound_runtime().execute(run, inner, args);
  } else if (fault_ == Fault::kIgnoresMemoryOrder || fault_ == Fault::kMisreadsDtype) {
    Views views(args);
    for (size_t i = 0; i < args.size(); ++i) {
      Tensor& tensor = *args[i]->as_tensor();
      const bool misread = fault_ == Fault::kMisreadsDtype && tensor.dtype() == DType::kInt32;
      if (misread || (fault_ == Fault::kIgnoresMemoryOrder && tensor.dtype() == DType::kFloat32 &&
                      !tensor.is_contiguous())) {
        views.replace(i, DType::kFloat32, tensor.mutable_raw_data());
      }
    }
    status = sound_runtime().execute(run, inner, views.args());
  } else if (fault_ == Fault::kWrongBroadcast && args.size() == 3 && float_tensor(*args[0]) &&
             float_tensor(*args[1])) {
    const size_t smaller = args[0]->as_tensor()->numel() < args[1]->as_tensor()->numel() ? 0 : 1;
    Views views(args);
    const Tensor& tensor = *args[smaller]->as_tensor();
    static thread_local float repeated[1 << 16];
    const int64_t count = tensor.numel();
    if (count > 0 && count < (1 << 16) && count != args[1 - smaller]->as_tensor()->numel()) {
      for (int64_t i = 0; i < count; ++i) {
        repeated[i] = tensor.data<float>()[0];
      }
      views.replace(smaller, DType::kFloat32, repeated);
    }
    status = sound_runtime().execute(run, inner, views.args());
  } else if (fault_ == Fault::kNotThreadSafe && float_tensor(*args[0]) &&
             args[0]->as_tensor()->nbytes() <= sizeof(shared_buffer)) {
    Views views(args);
    const Tensor& tensor = *args[0]->as_tensor();
    std::memcpy(shared_buffer, tensor.raw_data(), tensor.nbytes());
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (tensor.is_contiguous()) {
      views.replace(0, DType::kFloat32, shared_buffer);
    }
    status = sound_runtime().execute(run, inner, views.args());
  } else {
    status = sound_runtime().execute(run, inner, args);
  }
  if (fault_ == Fault::kKeepsLargestSize && ok(status)) {
    Tensor& out = *args[args.size() - 1]->as_tensor();
    std::vector<int32_t> sizes(out.sizes().begin(), out.sizes().end());
    if (out.dynamism() == Dynamism::kBounded && !sizes.empty() && out.nbytes() > 0) {
      sizes[0] *= static_cast<int32_t>(out.capacity_bytes() / out.nbytes());
      static_cast<void>(out.resize({sizes.data(), sizes.size()}));
    }
  }
  return fault_ == Fault::kTakesWrongShapes ? Status::kOk : status;
}

}  // namespace cresset::tests
