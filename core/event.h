// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/value.h"

namespace cresset {

// Where something happened: everything that profiles, traces and comparisons need to speak of the
// user's source line.
struct EventSource {
  uint32_t chain = 0;
  uint32_t instruction = 0;    // index in the chain
  uint32_t debug_handle = 0;   // the compiler's handle of the node, 0 where the program has none
  const char* name = nullptr;  // operator ("aten::add.out") or delegate; static or program storage
};

// Receives what a running method does. One sink serves profiling, tracing and intermediate values.
// Calls come from the thread that executes the method, in pairs begin/end that nest.
class EventSink {
 public:
  virtual void begin_method(const char* method) { (void)method; }
  virtual void end_method(const char* method) { (void)method; }
  virtual void begin_instruction(const EventSource& source) { (void)source; }
  virtual void end_instruction(const EventSource& source) { (void)source; }
  // `output` is what the instruction of `source` just wrote; called before its end_instruction,
  // only where wants_values() is true. The value is valid during the call.
  virtual void value(const EventSource& source, uint32_t output_index, const Value& output) {
    (void)source, (void)output_index, (void)output;
  }
  virtual bool wants_values() const { return false; }

 protected:
  ~EventSink() = default;  // never deleted through this interface
};

}  // namespace cresset
