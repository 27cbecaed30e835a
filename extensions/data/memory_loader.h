// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/span.h"
#include "runtime/data_loader.h"

namespace cresset {

// A file that lies in memory already: an array in flash, a mapping. Copies nothing. The bytes
// outlive the loader and start at a multiple of kDataAlignment, or programs refuse them.
class MemoryLoader final : public DataLoader {
 public:
  explicit MemoryLoader(Span<const uint8_t> bytes) : bytes_(bytes) {}

  uint64_t size_bytes() const override { return bytes_.size(); }
  Result<Span<const uint8_t>> load(uint64_t offset, size_t size) override;
  Status load_into(uint64_t offset, size_t size, void* out) override;

 private:
  Span<const uint8_t> bytes_;
};

}  // namespace cresset
