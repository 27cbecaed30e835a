// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

// A check of what goes into the memory planner and an independent one of what comes out: no code
// that places blocks is used to verify them. Both run in n log n.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compiler/memory_planner/memory_planner.h"

namespace cresset::memory_planner {

enum class Fault : uint8_t {
  // of the values
  kSize,        // the value, or where it ends inside its block, is beyond 2^63 bytes
  kAlignment,   // not a power of two, or offset_in_block is no multiple of it
  kLifetime,    // last_use before first_use
  kArena,       // not below kMaxArenas
  kSplitBlock,  // `value` and `other` name one block and two arenas
  // of the plan
  kCount,       // not one offset per value, or fewer arenas than the values name
  kMisaligned,  // the offset is no multiple of the alignment, or the arena promises less
  kOutside,     // the value ends beyond its arena
  kTornBlock,   // `value` and `other` share a block and do not lie in it as they ask
  kOverlap,     // `value` and `other` are alive together and their blocks share bytes
  kBelowBound,  // the arena is smaller than its lower bound; `value` is the arena's index
};

struct Defect {
  Fault fault;
  size_t value = 0;  // index of a value, or what the fault says
  size_t other = 0;  // index of a second value, where the fault names one; else equal to `value`
};

// The first defect of the values alone, if any. plan_memory accepts exactly the values without one.
std::optional<Defect> check_values(std::span<const Value> values);

// The first defect of the values, else of the plan made for them, if any.
std::optional<Defect> check_plan(std::span<const Value> values, const Plan& plan);

// One sentence for a message, for instance "values 3 and 7 are alive together and share bytes".
std::string describe(const Defect& defect);

}  // namespace cresset::memory_planner
