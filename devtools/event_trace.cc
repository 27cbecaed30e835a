// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "devtools/event_trace.h"

namespace cresset {

void EventTrace::begin_method(const char* method) {
  (void)method;
  ++run_;
  depth_ = 0;
}

void EventTrace::begin_instruction(const EventSource& source) {
  (void)source;
  if (depth_ < kMaxDepth) {
    starts_[depth_] = now_();
  }
  ++depth_;
}

void EventTrace::end_instruction(const EventSource& source) {
  const uint64_t end = now_();
  if (depth_ == 0 || --depth_ >= kMaxDepth || storage_.empty()) {
    return;
  }
  TraceEvent& event = storage_[count_++ % storage_.size()];
  event.name = source.name;
  event.chain = source.chain;
  event.instruction = source.instruction;
  event.debug_handle = source.debug_handle;
  event.run = run_;
  event.start_ticks = starts_[depth_];
  event.end_ticks = end;
}

const TraceEvent& EventTrace::operator[](size_t index) const {
  return storage_[(count_ - size() + index) % storage_.size()];
}

void EventTrace::clear() {
  count_ = 0;
  run_ = 0;
  depth_ = 0;
}

}  // namespace cresset
