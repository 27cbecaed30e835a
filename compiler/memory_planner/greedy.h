// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts made in one go: blocks are taken in some order and never moved again.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/memory_planner/blocks.h"

namespace cresset::memory_planner {

enum class Fit : uint8_t {
  kLowest,    // the lowest gap that holds the block
  kTightest,  // the gap that leaves least over, the lowest among equals; the top if none holds it
};

// Places the blocks of one arena in given orders. Keeps buffers between calls and counts its work.
// The blocks and the neighbours must outlive it.
class Placer {
 public:
  Placer(std::span<const Block> blocks, const Neighbours& neighbours);

  // Writes the layout that `order`, a permutation of the blocks, leads to. Gives up, with size
  // kTooLarge, as soon as the arena would reach `limit` bytes.
  void place(std::span<const uint32_t> order, Fit fit, uint64_t limit, Layout& layout);

  // The layout of reusable slots: each block, largest first, takes the first slot in which nothing
  // is alive together with it, or opens one of its own size. Slots are laid end to end.
  Layout share_slots();

  // Visits of blocks so far.
  uint64_t steps() const { return steps_; }

 private:
  struct Extent {
    uint64_t begin;
    uint64_t end;
  };

  void gather(uint32_t block, const Layout& layout);
  uint64_t choose(const Block& block, Fit fit) const;
  void insert(uint32_t block, uint64_t begin);

  std::span<const Block> blocks_;
  const Neighbours& neighbours_;
  uint64_t steps_ = 0;
  std::vector<uint8_t> placed_;
  std::vector<Extent> obstacles_;  // placed blocks alive together with the current one, by begin

  // Only where neighbours are not sparse: what is placed, by begin.
  std::vector<Extent> extents_;
  std::vector<uint32_t> first_uses_;
  std::vector<uint32_t> last_uses_;
  std::vector<uint32_t> hits_;
};

// Orders worth trying, the most promising first. Each is a permutation of the blocks.
enum class Order : uint8_t {
  kSize,      // largest first
  kBusiest,   // those alive at the busiest moments first, largest first among them
  kArea,      // largest size times lifetime first
  kLifetime,  // longest lifetime first
  kFirstUse,  // as the method runs
  kLastUse,   // as the method runs backwards
};
inline constexpr Order kOrders[] = {Order::kSize,     Order::kBusiest,  Order::kArea,
                                    Order::kLifetime, Order::kFirstUse, Order::kLastUse};

std::vector<uint32_t> make_order(std::span<const Block> blocks, Order order);

}  // namespace cresset::memory_planner
