// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/arena.h"
#include "core/event.h"
#include "core/message.h"
#include "core/parallel.h"
#include "core/span.h"
#include "core/status.h"
#include "core/value.h"
#include "runtime/named_data.h"

namespace cresset {

// One option that a partitioner wrote into the program for its backend.
struct CompileSpec {
  const char* key;
  Span<const uint8_t> value;
};

// What a delegate may use while it is made. All of it outlives the delegate.
struct DelegateInit {
  const char* method;        // name of the method that it is part of
  const NamedDataMap* data;  // named data of the program and its data files (.ptd), for weights
  Arena* arena;              // memory that lives as long as the method
  ParallelFor* parallel;     // null: one thread
  Message* message;          // for the reason of a failure
};

// What a delegate may use while it runs.
struct DelegateRun {
  EventSink* events;      // null: nobody listens
  EventSource source;     // the instruction, for events
  ParallelFor* parallel;  // null: one thread
  Message* message;
};

// Runs whole subgraphs that a partitioner handed to it when the program was compiled. One object
// serves any number of delegates of any number of methods; it owns no state of them except through
// handles. The application passes its backends to Method::load.
class Backend {
 public:
  // The name that programs know it by, for instance "XnnpackBackend".
  virtual const char* id() const = 0;

  // Makes a delegate from what the compiler left (`processed`, valid until destroy(), starts at a
  // multiple of 16). Called once for each delegate when its method is loaded. On success *handle is
  // handed to the other calls; null is a valid handle. Memory comes from init.arena, which is
  // null-safe: allocate everything even where the arena has run out, and only then fail with
  // kMemoryAllocationFailed, so that the method can say how much is needed, by all delegates at
  // once. `processed` is untrusted: verify it. kDelegateInvalidCompatibility: it is of no version
  // we know.
  virtual Status init(const DelegateInit& init, Span<const uint8_t> processed,
                      Span<const CompileSpec> specs, void** handle) = 0;

  // Runs the delegate. `args` are its inputs, then its outputs, in the order that the compiler
  // chose; verify their number, kinds, dtypes and shapes in init or here. Outputs of dynamic shape
  // are resized by the delegate. Must leave outputs alone on failure, or fail before it writes; the
  // next call starts afresh.
  virtual Status execute(const DelegateRun& run, void* handle, Span<Value* const> args) = 0;

  // Ends the delegate; called once for each successful init.
  virtual void destroy(void* handle) { (void)handle; }

 protected:
  ~Backend() = default;
};

using Backends = Span<Backend* const>;

}  // namespace cresset
