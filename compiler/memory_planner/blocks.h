// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

// The planner's own view of one arena: blocks, which of them are alive together, and how small the
// arena could be at best.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "compiler/memory_planner/memory_planner.h"

namespace cresset::memory_planner {

// An offset or size that cannot be represented. Arithmetic on sizes saturates here.
inline constexpr uint64_t kTooLarge = std::numeric_limits<uint64_t>::max();

constexpr uint64_t saturating_add(uint64_t a, uint64_t b) {
  return a > kTooLarge - b ? kTooLarge : a + b;
}

// `alignment` is a power of two. kTooLarge where the next multiple cannot be represented.
constexpr uint64_t align_up(uint64_t offset, uint64_t alignment) {
  const uint64_t padded = saturating_add(offset, alignment - 1);
  return padded == kTooLarge ? kTooLarge : padded & ~(alignment - 1);
}

// Bytes that are placed as one; never empty.
struct Block {
  uint64_t size_bytes;
  uint64_t alignment;
  uint32_t first_use;
  uint32_t last_use;
};

constexpr bool alive_together(const Block& a, const Block& b) {
  return (a.first_use <= b.last_use) & (b.first_use <= a.last_use);
}

// Where the blocks of an arena lie. `size_bytes` is kTooLarge for a layout that was given up.
struct Layout {
  std::vector<uint64_t> offsets;
  uint64_t size_bytes = kTooLarge;
};

// Which blocks are alive together. Lists of neighbours are kept while they are short on average;
// otherwise sparse() is false and whoever needs them compares intervals.
class Neighbours {
 public:
  explicit Neighbours(std::span<const Block> blocks);

  bool sparse() const { return sparse_; }
  // Only where sparse(): the blocks alive together with block `i`, without `i` itself.
  std::span<const uint32_t> of(size_t i) const {
    return std::span(lists_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  bool sparse_ = true;
  std::vector<size_t> begins_;
  std::vector<uint32_t> lists_;
};

// Bytes alive at the busiest moment of each block's life, one entry per block.
std::vector<uint64_t> busiest_moments(std::span<const Block> blocks);

// No layout of the blocks is smaller than this. Each moment's blocks begin at multiples of the
// least alignment, so all but the topmost are padded to it.
uint64_t lower_bound(std::span<const Block> blocks);

}  // namespace cresset::memory_planner
