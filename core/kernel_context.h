// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/event.h"
#include "core/message.h"
#include "core/parallel.h"
#include "core/span.h"
#include "core/status.h"

namespace cresset {

// What a kernel is handed besides its arguments: a place for an error's text, scratch memory, a
// loop runner and the event sink. Never a heap, a file, a global. One context serves one thread.
class KernelContext {
 public:
  explicit KernelContext(Message* message, Span<uint8_t> scratch = {},
                         ParallelFor* parallel = nullptr, EventSink* events = nullptr)
      : message_(message), scratch_(scratch), parallel_(parallel), events_(events) {}

  // Records why the call failed and returns `status`. The text names the argument and shows got and
  // expected; the caller prefixes the operator.
  template <class... A>
  Status fail(Status status, const char* format, const A&... args) {
    return message_ == nullptr ? status : message_->fail(status, format, args...);
  }

  // Memory for this call only, aligned to 16 bytes, contents undefined. A kernel may use as much as
  // its scratch function stated for these arguments, in one piece; fails with
  // kMemoryAllocationFailed, needed and given, where the program's owner provided less.
  Status scratch(size_t bytes, void** memory);

  // body(first, last) over pieces of [0, count); serial where no runner was given.
  void parallel_for(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body);

  EventSink* events() const { return events_; }
  Message* message() const { return message_; }

 private:
  Message* message_;
  Span<uint8_t> scratch_;
  ParallelFor* parallel_;
  EventSink* events_;
};

}  // namespace cresset
