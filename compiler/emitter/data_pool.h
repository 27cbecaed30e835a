// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/span.h"

namespace cresset::emitter {

// Byte blocks that become one segment: each stored once however often it is added, aligned. Blocks
// are referred to by number; 0 is "no data". The bytes must live until write().
class DataPool {
 public:
  explicit DataPool(uint64_t alignment) : alignment_(alignment), offsets_{0} {}

  // The number of the block with these contents.
  uint32_t add(Span<const uint8_t> bytes);
  // Start of every block in the segment; [0] is the placeholder 0.
  const std::vector<uint64_t>& offsets() const { return offsets_; }
  // Block `number` > 0.
  Span<const uint8_t> block(uint32_t number) const { return blocks_[number - 1]; }
  uint32_t count() const { return static_cast<uint32_t>(blocks_.size()); }
  uint64_t size_bytes() const { return size_bytes_; }
  // Appends the segment, padding between blocks zero.
  void write(std::vector<uint8_t>* out) const;

 private:
  uint64_t alignment_;
  std::vector<uint64_t> offsets_;
  std::vector<Span<const uint8_t>> blocks_;
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
  uint64_t size_bytes_ = 0;
};

}  // namespace cresset::emitter
