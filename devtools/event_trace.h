// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/event.h"
#include "core/span.h"

namespace cresset {

// One instruction that ran.
struct TraceEvent {
  const char* name = nullptr;  // as EventSource's
  uint32_t chain = 0;
  uint32_t instruction = 0;
  uint32_t debug_handle = 0;
  uint32_t run = 0;  // counts executions of methods from 1
  uint64_t start_ticks = 0;
  uint64_t end_ticks = 0;
};

// Remembers the latest instructions in memory that the caller lends, the oldest making room: the
// trace that fits on a device. Reading it while a method runs is not supported.
class EventTrace final : public EventSink {
 public:
  // `now` is the board's clock, for instance platform::now_ticks.
  EventTrace(Span<TraceEvent> storage, uint64_t (*now)()) : storage_(storage), now_(now) {}

  void begin_method(const char* method) override;
  void begin_instruction(const EventSource& source) override;
  void end_instruction(const EventSource& source) override;

  // Events that are remembered, at most the storage's size; 0 is the oldest.
  size_t size() const { return count_ < storage_.size() ? count_ : storage_.size(); }
  const TraceEvent& operator[](size_t index) const;
  // Events that had to make room.
  size_t dropped() const { return count_ - size(); }
  void clear();

 private:
  // An instruction of a method, and one of a delegate inside.
  static constexpr size_t kMaxDepth = 4;

  Span<TraceEvent> storage_;
  uint64_t (*now_)();
  size_t count_ = 0;
  uint32_t run_ = 0;
  size_t depth_ = 0;
  uint64_t starts_[kMaxDepth] = {};
};

}  // namespace cresset
