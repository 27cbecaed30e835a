// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

// Gives every planned value of a method its place in an arena, so that values which are alive at
// different times share bytes. Pure functions: equal input gives equal output on every host,
// nothing is read or written besides the arguments, and any number of threads may call them at
// once.

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/result.h"

namespace cresset::memory_planner {

// Value::block of a value that shares its bytes with no other.
inline constexpr uint32_t kOwnBlock = std::numeric_limits<uint32_t>::max();

// What the planner knows about one value.
//
// Time is counted in steps of the method, in any unit that orders them. A value needs its bytes
// from the start of step `first_use` to the end of step `last_use`: two values whose closed
// intervals touch the same step never share bytes. Steps of branches that exclude each other may be
// numbered one after the other; a value used by either lives over both.
struct Value {
  uint64_t size_bytes = 0;     // 0 is allowed; with offset_in_block at most 2^63
  uint64_t alignment = 16;     // of its offset, a power of two of at most 2^63
  uint32_t first_use = 0;      // inclusive
  uint32_t last_use = 0;       // inclusive, not below first_use
  uint32_t arena = 0;          // index of the arena that holds it; arenas are planned independently
  uint32_t block = kOwnBlock;  // values that name the same block share memory (aliases, in-place)
  uint64_t offset_in_block = 0;  // where the value begins inside its block, a multiple of
                                 // `alignment`; for slices and the parts of a concatenation
};
// A block lies in one arena, is as large as the furthest end of its values, aligned as the
// strictest of them, and alive without a break from the first use of any to the last use of any.
// Block numbers are names: they need not be dense, and are shared by all arenas.

enum class Strategy : uint8_t {
  kNone,        // the arena is empty
  kGreedy,      // blocks placed one by one, each in the tightest or in the lowest gap
  kShared,      // slots, each as large as its first block, that later blocks reuse whole
  kReordered,   // greedy, in an order improved step by step
  kExhaustive,  // branch and bound
};

// "greedy", "shared" and so on. Static storage.
const char* strategy_name(Strategy strategy);

struct Arena {
  uint64_t size_bytes = 0;         // end of the furthest block, not rounded up
  uint64_t alignment = 1;          // what the arena's first byte must be aligned to
  uint64_t lower_bound_bytes = 0;  // no plan is smaller: the most bytes alive at any one step
  Strategy strategy = Strategy::kNone;
  bool optimal = false;  // proven: the bound is met, or the search was exhaustive
};

struct Plan {
  std::vector<uint64_t> offsets;  // in bytes from the start of the value's arena, one per value
  std::vector<Arena> arenas;      // indexed by Value::arena, up to the largest one named
};

struct Options {
  // How much is spent on improving an arena beyond its first two plans, counted in visits of
  // neighbouring blocks (about a nanosecond each). 0 keeps the better of the two. The plan depends
  // on this number alone, never on the clock.
  uint64_t search_steps = 1'500'000;
};

inline constexpr uint32_t kMaxArenas = 1024;

// Plans all arenas. The result passes check_plan, and is never larger than what assigning the
// values, largest first, to the first free reusable slot would give.
//
//   kInvalidArgument  check_values names the value at fault
//   kOutOfResources   no plan found whose arena stays below 2^64 - 1 bytes
Result<Plan> plan_memory(std::span<const Value> values, const Options& options = {});

}  // namespace cresset::memory_planner
