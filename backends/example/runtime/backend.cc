// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/backend.h"

#include "backends/example/format.h"
#include "backends/example/runtime/loops.h"

namespace cresset::backends::example {

namespace {

// One delegate, in the arena of its method. The blob outlives it.
struct Delegate {
  const Header* header;
  const ValueRecord* values;
  const NodeRecord* nodes;
  View* views;  // beside values
};

uint32_t operand_count(Op op) {
  return op == Op::kClamp ? 1 : op == Op::kAdd || op == Op::kMul ? 2 : 3;
}

const char* name_of(Op op) {
  constexpr const char* kNames[] = {"add", "mul", "clamp", "linear", "conv2d"};
  return kNames[static_cast<uint32_t>(op)];
}

// The operands; null where one is absent.
void find_operands(const Delegate& delegate, const NodeRecord& node, const View* in[3]) {
  for (int i = 0; i < 3; ++i) {
    in[i] = node.in[i] == kNone ? nullptr : &delegate.views[node.in[i]];
  }
}

// What execute() may rely on. The blob is untrusted: it comes from a file.
Status check_nodes(const Delegate& delegate, Message* message) {
  const Header& header = *delegate.header;
  for (uint32_t i = 0; i < header.node_count; ++i) {
    const NodeRecord& node = delegate.nodes[i];
    if (static_cast<uint32_t>(node.op) > static_cast<uint32_t>(Op::kConv2d)) {
      return message->fail(Status::kInvalidProgram, "node {}: operator {} of {}", i,
                           static_cast<uint32_t>(node.op), static_cast<uint32_t>(Op::kConv2d) + 1);
    }
    for (uint32_t k = 0; k < 3; ++k) {
      const bool optional = k == 2 || k >= operand_count(node.op);
      if (node.in[k] >= header.value_count && !(optional && node.in[k] == kNone)) {
        return message->fail(Status::kInvalidProgram, "node {}: operand {} is value {} of {}", i, k,
                             node.in[k], header.value_count);
      }
    }
    const bool writable =
        node.out < header.value_count && (delegate.values[node.out].place == Place::kWorkspace ||
                                          (delegate.values[node.out].place == Place::kArgument &&
                                           delegate.values[node.out].at >= header.input_count));
    if (!writable) {
      return message->fail(Status::kInvalidProgram, "node {}: writes to value {}", i, node.out);
    }
  }
  return Status::kOk;
}

// Binds what does not change from call to call.
Status bind_value(const DelegateInit& init, const Header& header, const ValueRecord& record,
                  uint8_t* workspace, View* view) {
  if (record.rank > kRank) {
    return init.message->fail(Status::kInvalidProgram, "a value of rank {}", record.rank);
  }
  view->rank = record.rank;
  uint64_t bytes = sizeof(float);
  for (uint32_t d = 0; d < record.rank; ++d) {
    view->sizes[d] = record.sizes[d];
    if (record.sizes[d] < 0 || (bytes *= static_cast<uint64_t>(record.sizes[d])) > INT32_MAX) {
      return init.message->fail(Status::kInvalidProgram, "a value is too large");
    }
  }
  switch (record.place) {
    case Place::kArgument:
      if (record.at < header.input_count + header.output_count) {
        return Status::kOk;
      }
      break;
    case Place::kConstant: {
      const Result<NamedDatum> datum = init.data->find(record.key);
      if (!datum.ok() || datum->data.size() < bytes) {
        return init.message->fail(Status::kNotFound, "no named datum {} of {} bytes", record.key,
                                  bytes);
      }
      view->data = reinterpret_cast<float*>(const_cast<uint8_t*>(datum->data.data()));
      return Status::kOk;
    }
    case Place::kWorkspace:
      if (record.at % alignof(float) == 0 && record.at + bytes <= header.workspace_bytes) {
        view->data = reinterpret_cast<float*>(workspace + record.at);
        return Status::kOk;
      }
      break;
  }
  return init.message->fail(Status::kInvalidProgram, "a value at {} lies nowhere", record.at);
}

class ExampleBackend final : public Backend {
 public:
  const char* id() const override { return "ExampleBackend"; }

  Status init(const DelegateInit& init, Span<const uint8_t> processed, Span<const CompileSpec>,
              void** handle) override {
    const auto* header = reinterpret_cast<const Header*>(processed.data());
    if (processed.size() < sizeof(Header) || header->magic != kMagic) {
      return init.message->fail(Status::kDelegateInvalidCompatibility,
                                "not a blob of this backend");
    }
    if (header->version != kVersion) {
      return init.message->fail(Status::kDelegateInvalidCompatibility,
                                "blob of version {}, this backend reads {}", header->version,
                                kVersion);
    }
    const uint64_t bytes = sizeof(Header) + uint64_t{header->value_count} * sizeof(ValueRecord) +
                           uint64_t{header->node_count} * sizeof(NodeRecord);
    if (processed.size() != bytes) {
      return init.message->fail(Status::kInvalidProgram, "blob of {} bytes, expected {}",
                                processed.size(), bytes);
    }
    auto* delegate = init.arena->allocate_array<Delegate>(1);
    auto* views = init.arena->allocate_array<View>(header->value_count);
    auto* workspace = static_cast<uint8_t*>(init.arena->allocate(header->workspace_bytes, 16));
    if (delegate == nullptr || views == nullptr || workspace == nullptr) {
      return Status::kMemoryAllocationFailed;
    }
    delegate->header = header;
    delegate->values = reinterpret_cast<const ValueRecord*>(header + 1);
    delegate->nodes = reinterpret_cast<const NodeRecord*>(delegate->values + header->value_count);
    delegate->views = views;
    for (uint32_t i = 0; i < header->value_count; ++i) {
      CRESSET_TRY(bind_value(init, *header, delegate->values[i], workspace, &views[i]));
    }
    *handle = delegate;
    return check_nodes(*delegate, init.message);
  }

  Status execute(const DelegateRun& run, void* handle, Span<Value* const> args) override {
    const Delegate& delegate = *static_cast<Delegate*>(handle);
    // Everything that can fail comes before the first output is written.
    CRESSET_TRY(bind_inputs(run, delegate, args));
    CRESSET_TRY(infer_all(run, delegate));
    CRESSET_TRY(bind_outputs(run, delegate, args));
    for (uint32_t i = 0; i < delegate.header->node_count; ++i) {
      const NodeRecord& node = delegate.nodes[i];
      EventSource source = run.source;
      source.debug_handle = node.debug_handle;
      source.name = name_of(node.op);
      if (run.events != nullptr) {
        run.events->begin_instruction(source);
      }
      const View* in[3];
      find_operands(delegate, node, in);
      compute(node, in, delegate.views[node.out], run.parallel);
      if (run.events != nullptr) {
        run.events->end_instruction(source);
      }
    }
    return Status::kOk;
  }

 private:
  static Status bind_inputs(const DelegateRun& run, const Delegate& delegate,
                            Span<Value* const> args) {
    const Header& header = *delegate.header;
    if (args.size() != header.input_count + header.output_count) {
      return run.message->fail(Status::kInvalidProgram, "{} arguments, expected {}", args.size(),
                               header.input_count + header.output_count);
    }
    for (uint32_t i = 0; i < header.value_count; ++i) {
      const ValueRecord& record = delegate.values[i];
      if (record.place != Place::kArgument) {
        continue;
      }
      View& view = delegate.views[i];
      const bool is_tensor = args[record.at]->is_tensor();
      const Tensor* tensor = is_tensor ? args[record.at]->as_tensor() : nullptr;
      if (tensor == nullptr || tensor->dtype() != DType::kFloat32 ||
          tensor->rank() != record.rank || !tensor->is_contiguous()) {
        return run.message->fail(Status::kInvalidArgument,
                                 "argument {} is no row-major f32 tensor of rank {}", record.at,
                                 record.rank);
      }
      for (uint32_t d = 0; d < record.rank; ++d) {
        view.sizes[d] = static_cast<int32_t>(tensor->size(d));
      }
      view.data = const_cast<float*>(tensor->data<float>());
    }
    return Status::kOk;
  }

  // The sizes of every value for those of the inputs.
  static Status infer_all(const DelegateRun& run, const Delegate& delegate) {
    for (uint32_t i = 0; i < delegate.header->node_count; ++i) {
      const NodeRecord& node = delegate.nodes[i];
      const View* in[3];
      find_operands(delegate, node, in);
      View& out = delegate.views[node.out];
      const uint32_t rank = out.rank;
      bool fits = infer_sizes(node, in, &out) && out.rank == rank;
      for (uint32_t d = 0; fits && d < rank; ++d) {
        fits = out.sizes[d] <= delegate.values[node.out].sizes[d];
      }
      if (!fits) {
        out.rank = rank;
        return run.message->fail(Status::kInvalidArgument, "node {} ({}): operands do not fit", i,
                                 name_of(node.op));
      }
    }
    return Status::kOk;
  }

  static Status bind_outputs(const DelegateRun& run, const Delegate& delegate,
                             Span<Value* const> args) {
    for (uint32_t i = 0; i < delegate.header->value_count; ++i) {
      const ValueRecord& record = delegate.values[i];
      if (record.place == Place::kArgument && record.at >= delegate.header->input_count) {
        const View& view = delegate.views[i];
        if (!ok(args[record.at]->as_tensor()->resize({view.sizes, view.rank}))) {
          return run.message->fail(Status::kInvalidArgument, "output {} has no room for {}",
                                   record.at - delegate.header->input_count,
                                   Span<const int32_t>(view.sizes, view.rank));
        }
      }
    }
    return Status::kOk;
  }
};

}  // namespace

Backend& runtime() {
  static ExampleBackend backend;
  return backend;
}

}  // namespace cresset::backends::example
