// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/memory_planner/memory_planner.h"

#include <algorithm>
#include <optional>

#include "compiler/memory_planner/blocks.h"
#include "compiler/memory_planner/check_plan.h"
#include "compiler/memory_planner/greedy.h"
#include "compiler/memory_planner/search.h"

namespace cresset::memory_planner {
namespace {

// Leaves the blocks' offsets in `layout`; its size is kTooLarge where nothing was found.
Arena plan_arena(std::span<const Block> blocks, uint64_t search_steps, Layout& layout) {
  Arena arena;
  for (const Block& block : blocks) {
    arena.alignment = std::max(arena.alignment, block.alignment);
  }
  const uint64_t bound = lower_bound(blocks);
  arena.lower_bound_bytes = bound;
  if (bound == kTooLarge) {
    layout.size_bytes = kTooLarge;
    return arena;
  }

  const Neighbours neighbours(blocks);
  Placer placer(blocks, neighbours);
  arena.strategy = Strategy::kGreedy;
  placer.place(make_order(blocks, Order::kSize), Fit::kLowest, kTooLarge, layout);
  const uint64_t steps_per_layout = placer.steps();
  if (layout.size_bytes > bound) {
    Layout shared = placer.share_slots();
    if (shared.size_bytes < layout.size_bytes) {
      layout = std::move(shared);
      arena.strategy = Strategy::kShared;
    }
  }

  const uint64_t last_step = saturating_add(placer.steps(), search_steps);
  const auto steps_left = [&] { return last_step - std::min(last_step, placer.steps()); };
  Layout candidate;
  for (const Order order : kOrders) {
    for (const Fit fit : {Fit::kLowest, Fit::kTightest}) {
      if (layout.size_bytes == bound || steps_left() < steps_per_layout) {
        break;
      }
      placer.place(make_order(blocks, order), fit, layout.size_bytes, candidate);
      if (candidate.size_bytes < layout.size_bytes) {
        std::swap(candidate, layout);
        arena.strategy = Strategy::kGreedy;
      }
    }
  }

  bool exhausted = false;
  if (layout.size_bytes > bound && blocks.size() <= kMaxExhaustive) {
    const uint64_t before = layout.size_bytes;
    exhausted = search_exhaustively(blocks, bound, steps_left() / 2, layout);
    if (layout.size_bytes < before) {
      arena.strategy = Strategy::kExhaustive;
    }
  }
  if (layout.size_bytes > bound && layout.size_bytes != kTooLarge && !exhausted &&
      steps_left() >= steps_per_layout &&
      search_orders(blocks, neighbours, placer, bound, steps_left(), layout)) {
    arena.strategy = Strategy::kReordered;
  }
  arena.size_bytes = layout.size_bytes;
  arena.optimal = exhausted || layout.size_bytes == bound;
  return arena;
}

// The blocks of all arenas, and in which of them each value lies.
struct Grouping {
  std::vector<std::vector<Block>> blocks;       // per arena; blocks of no bytes are left out
  std::vector<std::optional<size_t>> block_of;  // per value; none where its block has no bytes
};

Grouping group(std::span<const Value> values) {
  std::vector<uint32_t> members(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    members[i] = static_cast<uint32_t>(i);
  }
  std::stable_sort(members.begin(), members.end(),
                   [&](uint32_t a, uint32_t b) { return values[a].block < values[b].block; });

  // Blocks are numbered by their first value, so that names of blocks do not change the plan.
  std::vector<Block> all(values.size());
  std::vector<uint32_t> leader(values.size());
  for (size_t i = 0; i < members.size(); ++i) {
    const uint32_t member = members[i];
    const Value& value = values[member];
    const bool joins =
        i > 0 && value.block != kOwnBlock && value.block == values[members[i - 1]].block;
    leader[member] = joins ? leader[members[i - 1]] : member;
    Block& block = all[leader[member]];
    if (!joins) {
      block = {0, 1, value.first_use, value.last_use};
    }
    block.size_bytes = std::max(block.size_bytes, value.offset_in_block + value.size_bytes);
    block.alignment = std::max(block.alignment, value.alignment);
    block.first_use = std::min(block.first_use, value.first_use);
    block.last_use = std::max(block.last_use, value.last_use);
  }

  Grouping result;
  result.block_of.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].arena >= result.blocks.size()) {
      result.blocks.resize(values[i].arena + size_t{1});
    }
    if (leader[i] != i) {
      result.block_of[i] = result.block_of[leader[i]];
    } else if (all[i].size_bytes > 0) {
      std::vector<Block>& blocks = result.blocks[values[i].arena];
      result.block_of[i] = blocks.size();
      blocks.push_back(all[i]);
    }
  }
  return result;
}

}  // namespace

const char* strategy_name(Strategy strategy) {
  switch (strategy) {
    case Strategy::kNone:
      return "none";
    case Strategy::kGreedy:
      return "greedy";
    case Strategy::kShared:
      return "shared";
    case Strategy::kReordered:
      return "reordered";
    case Strategy::kExhaustive:
      return "exhaustive";
  }
  return "unknown";
}

Result<Plan> plan_memory(std::span<const Value> values, const Options& options) {
  if (check_values(values)) {
    return Status::kInvalidArgument;
  }
  const Grouping grouping = group(values);
  Plan plan;
  std::vector<Layout> layouts(grouping.blocks.size());
  for (size_t i = 0; i < layouts.size(); ++i) {
    if (grouping.blocks[i].empty()) {
      plan.arenas.push_back({.optimal = true});
      continue;
    }
    plan.arenas.push_back(plan_arena(grouping.blocks[i], options.search_steps, layouts[i]));
    if (layouts[i].size_bytes == kTooLarge) {
      return Status::kOutOfResources;
    }
  }
  plan.offsets.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const std::optional<size_t> block = grouping.block_of[i];
    const uint64_t begin = block ? layouts[values[i].arena].offsets[*block] : 0;
    plan.offsets.push_back(begin + values[i].offset_in_block);
  }
  return plan;
}

}  // namespace cresset::memory_planner
