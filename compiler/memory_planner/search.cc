// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/memory_planner/search.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cresset::memory_planner {
namespace {

using Mask = uint64_t;
constexpr Mask bit(size_t i) { return Mask{1} << i; }

template <class F>
void for_each(Mask mask, F f) {
  for (; mask != 0; mask &= mask - 1) {
    f(static_cast<size_t>(std::countr_zero(mask)));
  }
}

// Branch and bound over the order of offsets.
//
// Among the smallest layouts take one whose offsets have the least sum. Each of its blocks lies at
// 0 or directly upon a block alive together with it, so it is found by placing blocks in the order
// of (offset, index), each directly above what is placed and alive together with it: its floor. Two
// consequences prune the tree: no block lies as high as another, still unplaced, would end upon its
// own floor (that one could move down there); and of equal blocks the first comes first.
class Exhaustive {
 public:
  Exhaustive(std::span<const Block> blocks, uint64_t bound, uint64_t max_steps, Layout& best)
      : blocks_(blocks),
        bound_(bound),
        max_steps_(max_steps),
        best_(best),
        levels_(blocks.size() + 1) {
    const size_t count = blocks.size();
    alive_with_.assign(count, 0);
    equal_before_.assign(count, 0);
    for (size_t i = 0; i < count; ++i) {
      Mask moment = 0;
      for (size_t j = 0; j < count; ++j) {
        const Block& a = blocks[i];
        const Block& b = blocks[j];
        if (i != j && alive_together(a, b)) {
          alive_with_[i] |= bit(j);
        }
        if (j < i && a.size_bytes == b.size_bytes && a.alignment == b.alignment &&
            a.first_use == b.first_use && a.last_use == b.last_use) {
          equal_before_[i] |= bit(j);
        }
        if (b.first_use <= a.first_use && a.first_use <= b.last_use) {
          moment |= bit(j);
        }
      }
      if (std::find(moments_.begin(), moments_.end(), moment) == moments_.end()) {
        moments_.push_back(moment);
      }
    }
    for (Level& level : levels_) {
      level.floors.assign(count, 0);
      level.tops.assign(moments_.size(), 0);
      level.missing.assign(moments_.size(), 0);
    }
    for (size_t m = 0; m < moments_.size(); ++m) {
      for_each(moments_[m], [&](size_t i) { levels_[0].missing[m] += blocks[i].size_bytes; });
    }
    offsets_.assign(count, 0);
  }

  bool run() {
    const Mask all = blocks_.size() == 64 ? ~Mask{0} : bit(blocks_.size()) - 1;
    descend(0, all, 0, 0);
    return !out_of_steps_;
  }

 private:
  struct Level {
    std::vector<uint64_t> floors;   // per block, if unplaced: the least aligned offset
    std::vector<uint64_t> tops;     // per moment: where its topmost placed block ends
    std::vector<uint64_t> missing;  // per moment: bytes of its unplaced blocks
    std::vector<uint32_t> choices;
  };

  bool finished() const { return out_of_steps_ || best_.size_bytes == bound_; }

  // Tries what may come after `depth` blocks, the last of them `last` at `offset`.
  void descend(size_t depth, Mask unplaced, uint64_t offset, size_t last) {
    Level& level = levels_[depth];
    if (unplaced == 0) {
      best_.offsets = offsets_;
      best_.size_bytes = *std::max_element(level.tops.begin(), level.tops.end());
      return;
    }
    steps_ += 8 * blocks_.size();
    if (steps_ > max_steps_) {
      out_of_steps_ = true;
      return;
    }

    uint64_t ceiling = kTooLarge;
    for_each(unplaced, [&](size_t i) {
      ceiling = std::min(ceiling, saturating_add(level.floors[i], blocks_[i].size_bytes));
    });
    level.choices.clear();
    bool dead = false;
    for_each(unplaced, [&](size_t i) {
      const uint64_t floor = level.floors[i];
      const bool late = floor < offset || (floor == offset && i < last);
      dead |= late && (alive_with_[i] & unplaced) == 0;
      if (!late && floor < ceiling && (equal_before_[i] & unplaced) == 0) {
        level.choices.push_back(static_cast<uint32_t>(i));
      }
    });
    if (dead) {
      return;
    }
    std::sort(level.choices.begin(), level.choices.end(), [&](uint32_t a, uint32_t b) {
      if (level.floors[a] != level.floors[b]) {
        return level.floors[a] < level.floors[b];
      }
      return blocks_[a].size_bytes != blocks_[b].size_bytes
                 ? blocks_[a].size_bytes > blocks_[b].size_bytes
                 : a < b;
    });
    for (const uint32_t i : level.choices) {
      if (finished()) {
        return;
      }
      if (put(level, levels_[depth + 1], unplaced & ~bit(i), i)) {
        offsets_[i] = level.floors[i];
        descend(depth + 1, unplaced & ~bit(i), level.floors[i], i);
      }
    }
  }

  // Fills `next` with what follows from placing block `i`. False if nothing below it can be better
  // than the best known layout.
  bool put(const Level& level, Level& next, Mask unplaced, size_t i) {
    const uint64_t offset = level.floors[i];
    const uint64_t end = saturating_add(offset, blocks_[i].size_bytes);
    if (end >= best_.size_bytes) {
      return false;
    }
    bool good = true;
    next.floors = level.floors;
    for_each(alive_with_[i] & unplaced, [&](size_t j) {
      next.floors[j] = std::max(level.floors[j], align_up(end, blocks_[j].alignment));
      good &= saturating_add(next.floors[j], blocks_[j].size_bytes) < best_.size_bytes;
    });
    for (size_t m = 0; m < moments_.size(); ++m) {
      const bool inside = (moments_[m] & bit(i)) != 0;
      next.tops[m] = inside ? end : level.tops[m];
      next.missing[m] = level.missing[m] - (inside ? blocks_[i].size_bytes : 0);
      good &= next.missing[m] == 0 ||
              saturating_add(std::max(next.tops[m], offset), next.missing[m]) < best_.size_bytes;
    }
    return good;
  }

  std::span<const Block> blocks_;
  uint64_t bound_;
  uint64_t max_steps_;
  Layout& best_;
  std::vector<Level> levels_;
  std::vector<Mask> alive_with_;
  std::vector<Mask> equal_before_;
  std::vector<Mask> moments_;
  std::vector<uint64_t> offsets_;
  uint64_t steps_ = 0;
  bool out_of_steps_ = false;
};

// xorshift64: the same numbers on every host.
class Random {
 public:
  // Below `count`, which is at least 1 and far below 2^32.
  size_t below(size_t count) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<size_t>((state_ >> 32) % count);
  }

 private:
  uint64_t state_ = 0x9e3779b97f4a7c15;
};

}  // namespace

bool search_exhaustively(std::span<const Block> blocks, uint64_t bound, uint64_t max_steps,
                         Layout& best) {
  return Exhaustive(blocks, bound, max_steps, best).run();
}

bool search_orders(std::span<const Block> blocks, const Neighbours& neighbours, Placer& placer,
                   uint64_t bound, uint64_t max_steps, Layout& best) {
  // Lowest-fit placement in the order of the offsets never raises a block, so the walk begins at a
  // layout at least as good.
  std::vector<uint32_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return best.offsets[a] < best.offsets[b]; });

  const uint64_t last_step = saturating_add(placer.steps(), max_steps);
  Random random;
  Layout current = best;
  Layout candidate;
  bool improved = false;
  std::vector<uint32_t> topmost;
  std::vector<uint32_t> beneath;
  while (best.size_bytes > bound && placer.steps() < last_step) {
    topmost.clear();
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      if (current.offsets[i] + blocks[i].size_bytes == current.size_bytes) {
        topmost.push_back(i);
      }
    }
    const uint32_t top = topmost[random.below(topmost.size())];
    beneath.clear();
    if (neighbours.sparse()) {
      const std::span<const uint32_t> near = neighbours.of(top);
      beneath.assign(near.begin(), near.end());
    } else {
      for (uint32_t i = 0; i < blocks.size(); ++i) {
        if (i != top && alive_together(blocks[i], blocks[top])) {
          beneath.push_back(i);
        }
      }
    }
    // A topmost block that nothing else lives with would be as large as the arena, at the bound.
    const uint32_t moved =
        random.below(3) == 0 || beneath.empty() ? top : beneath[random.below(beneath.size())];
    const auto from = std::find(order.begin(), order.end(), moved) - order.begin();
    const auto to = static_cast<std::ptrdiff_t>(random.below(order.size()));
    const auto shift = [&](std::ptrdiff_t a, std::ptrdiff_t b) {
      if (a < b) {
        std::rotate(order.begin() + a, order.begin() + a + 1, order.begin() + b + 1);
      } else {
        std::rotate(order.begin() + b, order.begin() + a, order.begin() + a + 1);
      }
    };
    shift(from, to);
    // Walks sideways freely, and uphill a little.
    const uint64_t limit = saturating_add(best.size_bytes, best.size_bytes / 64 + 1);
    placer.place(order, Fit::kLowest, limit, candidate);
    if (candidate.size_bytes == kTooLarge) {
      shift(to, from);
      continue;
    }
    std::swap(current, candidate);
    if (current.size_bytes < best.size_bytes) {
      best = current;
      improved = true;
    }
  }
  return improved;
}

}  // namespace cresset::memory_planner
