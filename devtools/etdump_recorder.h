// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/event.h"

namespace cresset {

// Records what methods do and writes it as an ETDump file (schema/FORMAT.md), which Cresset and
// ExecuTorch's inspector read. One run block an execution. With `keep_values` every value that an
// instruction writes is kept as well; debug_bytes() is then the file of tensor contents that
// belongs to the event file.
class EtdumpRecorder final : public EventSink {
 public:
  explicit EtdumpRecorder(bool keep_values = false);
  ~EtdumpRecorder();
  EtdumpRecorder(const EtdumpRecorder&) = delete;
  EtdumpRecorder& operator=(const EtdumpRecorder&) = delete;

  void begin_method(const char* method) override;
  void end_method(const char* method) override;
  void begin_instruction(const EventSource& source) override;
  void end_instruction(const EventSource& source) override;
  void value(const EventSource& source, uint32_t output_index, const Value& output) override;
  bool wants_values() const override { return keep_values_; }

  // The event file of everything recorded so far.
  std::string etdump_bytes() const;
  const std::string& debug_bytes() const { return debug_; }

 private:
  struct Event;
  struct Run;

  bool keep_values_;
  std::vector<Run> runs_;
  std::vector<uint64_t> starts_;  // of instructions that have begun and not ended
  std::string debug_;
};

}  // namespace cresset
