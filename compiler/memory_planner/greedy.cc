// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/memory_planner/greedy.h"

#include <algorithm>
#include <numeric>

namespace cresset::memory_planner {

Placer::Placer(std::span<const Block> blocks, const Neighbours& neighbours)
    : blocks_(blocks), neighbours_(neighbours), placed_(blocks.size()) {
  if (!neighbours_.sparse()) {
    hits_.resize(blocks.size());
  }
}

void Placer::place(std::span<const uint32_t> order, Fit fit, uint64_t limit, Layout& layout) {
  layout.offsets.resize(blocks_.size());
  layout.size_bytes = 0;
  std::fill(placed_.begin(), placed_.end(), uint8_t{0});
  extents_.clear();
  first_uses_.clear();
  last_uses_.clear();
  for (const uint32_t block : order) {
    gather(block, layout);
    const uint64_t begin = choose(blocks_[block], fit);
    const uint64_t end = saturating_add(begin, blocks_[block].size_bytes);
    if (end >= limit) {
      layout.size_bytes = kTooLarge;
      return;
    }
    layout.offsets[block] = begin;
    layout.size_bytes = std::max(layout.size_bytes, end);
    placed_[block] = 1;
    if (!neighbours_.sparse()) {
      insert(block, begin);
    }
  }
}

void Placer::gather(uint32_t block, const Layout& layout) {
  obstacles_.clear();
  if (neighbours_.sparse()) {
    const std::span<const uint32_t> near = neighbours_.of(block);
    for (const uint32_t other : near) {
      if (placed_[other] != 0) {
        const uint64_t begin = layout.offsets[other];
        obstacles_.push_back({begin, begin + blocks_[other].size_bytes});
      }
    }
    std::sort(obstacles_.begin(), obstacles_.end(),
              [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
    steps_ += 8 + near.size() + 16 * obstacles_.size();
    return;
  }
  // Branch-free, because whether two long lives meet is close to a coin toss.
  const uint32_t first_use = blocks_[block].first_use;
  const uint32_t last_use = blocks_[block].last_use;
  size_t hits = 0;
  for (size_t i = 0; i < extents_.size(); ++i) {
    hits_[hits] = static_cast<uint32_t>(i);
    hits += static_cast<size_t>(first_uses_[i] <= last_use) &
            static_cast<size_t>(last_uses_[i] >= first_use);
  }
  for (size_t i = 0; i < hits; ++i) {
    obstacles_.push_back(extents_[hits_[i]]);
  }
  steps_ += 4 + extents_.size() + hits;
}

uint64_t Placer::choose(const Block& block, Fit fit) const {
  uint64_t tightest = kTooLarge;
  uint64_t least_left = kTooLarge;
  uint64_t top = 0;
  for (const Extent& obstacle : obstacles_) {
    if (obstacle.begin > top && obstacle.begin - top >= block.size_bytes) {
      const uint64_t begin = align_up(top, block.alignment);
      if (begin <= obstacle.begin && obstacle.begin - begin >= block.size_bytes) {
        const uint64_t left = obstacle.begin - top - block.size_bytes;
        if (fit == Fit::kLowest) {
          return begin;
        }
        if (left < least_left) {
          tightest = begin;
          least_left = left;
        }
      }
    }
    top = std::max(top, obstacle.end);
  }
  return tightest != kTooLarge ? tightest : align_up(top, block.alignment);
}

void Placer::insert(uint32_t block, uint64_t begin) {
  const Extent extent{begin, begin + blocks_[block].size_bytes};
  const auto at =
      std::upper_bound(extents_.begin(), extents_.end(), extent,
                       [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  const auto index = at - extents_.begin();
  extents_.insert(at, extent);
  first_uses_.insert(first_uses_.begin() + index, blocks_[block].first_use);
  last_uses_.insert(last_uses_.begin() + index, blocks_[block].last_use);
}

Layout Placer::share_slots() {
  struct Slot {
    uint64_t size_bytes;
    uint64_t alignment;
  };
  std::vector<Slot> slots;
  std::vector<size_t> slot_of(blocks_.size());
  std::vector<uint8_t> taken;  // per slot: holds something alive together with the current block
  std::vector<uint32_t> done;
  std::fill(placed_.begin(), placed_.end(), uint8_t{0});

  for (const uint32_t block : make_order(blocks_, Order::kSize)) {
    const Block& wanted = blocks_[block];
    std::fill(taken.begin(), taken.end(), uint8_t{0});
    if (neighbours_.sparse()) {
      for (const uint32_t other : neighbours_.of(block)) {
        if (placed_[other] != 0) {
          taken[slot_of[other]] = 1;
        }
      }
      steps_ += neighbours_.of(block).size() + slots.size();
    } else {
      for (const uint32_t other : done) {
        taken[slot_of[other]] |= static_cast<uint8_t>(alive_together(wanted, blocks_[other]));
      }
      steps_ += done.size() + slots.size();
    }
    const auto free = std::find(taken.begin(), taken.end(), uint8_t{0});
    const size_t slot = static_cast<size_t>(free - taken.begin());
    if (slot == slots.size()) {
      slots.push_back({wanted.size_bytes, wanted.alignment});
      taken.push_back(0);
    }
    slots[slot].alignment = std::max(slots[slot].alignment, wanted.alignment);
    slot_of[block] = slot;
    placed_[block] = 1;
    done.push_back(block);
  }

  std::vector<uint64_t> begins;
  uint64_t top = 0;
  for (const Slot& slot : slots) {
    begins.push_back(align_up(top, slot.alignment));
    top = saturating_add(begins.back(), slot.size_bytes);
  }
  Layout layout;
  layout.size_bytes = top;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    layout.offsets.push_back(begins[slot_of[i]]);
  }
  return layout;
}

std::vector<uint32_t> make_order(std::span<const Block> blocks, Order order) {
  std::vector<uint32_t> result(blocks.size());
  std::iota(result.begin(), result.end(), 0u);
  // Larger keys come first; equal ones by size, then as they stand.
  const auto sort_by = [&](auto key) {
    std::stable_sort(result.begin(), result.end(), [&](uint32_t a, uint32_t b) {
      const auto key_a = key(a);
      const auto key_b = key(b);
      return key_a != key_b ? key_a > key_b : blocks[a].size_bytes > blocks[b].size_bytes;
    });
  };
  const auto lifetime = [&](uint32_t i) { return blocks[i].last_use - blocks[i].first_use; };
  switch (order) {
    case Order::kSize:
      sort_by([&](uint32_t i) { return blocks[i].size_bytes; });
      break;
    case Order::kBusiest: {
      const std::vector<uint64_t> peaks = busiest_moments(blocks);
      sort_by([&](uint32_t i) { return peaks[i]; });
      break;
    }
    case Order::kArea:
      sort_by([&](uint32_t i) {
        return static_cast<double>(blocks[i].size_bytes) * (lifetime(i) + 1.0);
      });
      break;
    case Order::kLifetime:
      sort_by(lifetime);
      break;
    case Order::kFirstUse:
      sort_by([&](uint32_t i) { return ~blocks[i].first_use; });
      break;
    case Order::kLastUse:
      sort_by([&](uint32_t i) { return blocks[i].last_use; });
      break;
  }
  return result;
}

}  // namespace cresset::memory_planner
