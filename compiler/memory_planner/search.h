// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts found by search, where the greedy ones miss the lower bound.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/memory_planner/blocks.h"
#include "compiler/memory_planner/greedy.h"

namespace cresset::memory_planner {

// The most blocks that search_exhaustively takes.
inline constexpr size_t kMaxExhaustive = 64;

// Looks for the smallest layout below `best.size_bytes` and leaves it in `best`. Spends at most
// `max_steps`. True if it came to an end: `best` is then optimal.
bool search_exhaustively(std::span<const Block> blocks, uint64_t bound, uint64_t max_steps,
                         Layout& best);

// Improves `best`, a layout of all blocks, by placing them again and again in slightly changed
// orders. Stops at `bound` bytes or once `placer` has spent `max_steps` more. True if `best` became
// smaller.
bool search_orders(std::span<const Block> blocks, const Neighbours& neighbours, Placer& placer,
                   uint64_t bound, uint64_t max_steps, Layout& best);

}  // namespace cresset::memory_planner
