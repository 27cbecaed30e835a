// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/memory_planner/check_plan.h"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

namespace cresset::memory_planner {
namespace {

constexpr uint64_t kMaxBlockBytes = uint64_t{1} << 63;

std::optional<Defect> check_value(const Value& value, size_t i) {
  if (value.size_bytes > kMaxBlockBytes ||
      value.offset_in_block > kMaxBlockBytes - value.size_bytes) {
    return Defect{Fault::kSize, i, i};
  }
  if (!std::has_single_bit(value.alignment) || value.offset_in_block % value.alignment != 0) {
    return Defect{Fault::kAlignment, i, i};
  }
  if (value.last_use < value.first_use) {
    return Defect{Fault::kLifetime, i, i};
  }
  if (value.arena >= kMaxArenas) {
    return Defect{Fault::kArena, i, i};
  }
  return std::nullopt;
}

// Bytes [begin, end) of an arena in steps [first_use, last_use].
struct Claim {
  uint64_t begin;
  uint64_t end;
  uint32_t first_use;
  uint32_t last_use;
  uint32_t arena;
  size_t value;
};

// One claim per block that has bytes, or the value that does not lie where its block wants it.
std::optional<Defect> collect_claims(std::span<const Value> values, const Plan& plan,
                                     std::vector<Claim>& claims) {
  std::map<uint32_t, size_t> claim_of;
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    const uint64_t begin = plan.offsets[i] - value.offset_in_block;
    const uint64_t end = plan.offsets[i] + value.size_bytes;
    const Claim claim{begin, end, value.first_use, value.last_use, value.arena, i};
    if (plan.offsets[i] < value.offset_in_block) {
      return Defect{Fault::kTornBlock, i, i};
    }
    if (value.block == kOwnBlock) {
      claims.push_back(claim);
      continue;
    }
    const auto [entry, is_new] = claim_of.emplace(value.block, claims.size());
    if (is_new) {
      claims.push_back(claim);
      continue;
    }
    Claim& whole = claims[entry->second];
    if (whole.begin != begin) {
      return Defect{Fault::kTornBlock, whole.value, i};
    }
    whole.end = std::max(whole.end, end);
    whole.first_use = std::min(whole.first_use, value.first_use);
    whole.last_use = std::max(whole.last_use, value.last_use);
  }
  std::erase_if(claims, [](const Claim& claim) { return claim.begin == claim.end; });
  return std::nullopt;
}

// Keeps what is alive sorted by address: as long as nothing overlaps, a new claim can only meet the
// one before and the one after it.
std::optional<Defect> check_overlaps(std::vector<Claim> claims) {
  std::vector<const Claim*> endings;
  for (const Claim& claim : claims) {
    endings.push_back(&claim);
  }
  std::sort(endings.begin(), endings.end(),
            [](const Claim* a, const Claim* b) { return a->last_use < b->last_use; });
  std::vector<const Claim*> beginnings = endings;
  std::stable_sort(beginnings.begin(), beginnings.end(),
                   [](const Claim* a, const Claim* b) { return a->first_use < b->first_use; });

  std::map<std::pair<uint32_t, uint64_t>, const Claim*> alive;
  auto ending = endings.begin();
  for (const Claim* claim : beginnings) {
    for (; (*ending)->last_use < claim->first_use; ++ending) {
      alive.erase({(*ending)->arena, (*ending)->begin});
    }
    const auto above = alive.lower_bound({claim->arena, claim->begin});
    if (above != alive.end() && above->second->arena == claim->arena &&
        above->second->begin < claim->end) {
      return Defect{Fault::kOverlap, std::min(above->second->value, claim->value),
                    std::max(above->second->value, claim->value)};
    }
    if (above != alive.begin()) {
      const Claim* below = std::prev(above)->second;
      if (below->arena == claim->arena && below->end > claim->begin) {
        return Defect{Fault::kOverlap, std::min(below->value, claim->value),
                      std::max(below->value, claim->value)};
      }
    }
    alive.emplace(std::pair(claim->arena, claim->begin), claim);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Defect> check_values(std::span<const Value> values) {
  std::map<uint32_t, size_t> first_of_block;
  for (size_t i = 0; i < values.size(); ++i) {
    if (const std::optional<Defect> defect = check_value(values[i], i)) {
      return defect;
    }
    if (values[i].block != kOwnBlock) {
      const size_t first = first_of_block.emplace(values[i].block, i).first->second;
      if (values[first].arena != values[i].arena) {
        return Defect{Fault::kSplitBlock, first, i};
      }
    }
  }
  return std::nullopt;
}

std::optional<Defect> check_plan(std::span<const Value> values, const Plan& plan) {
  if (const std::optional<Defect> defect = check_values(values)) {
    return defect;
  }
  if (plan.offsets.size() != values.size()) {
    return Defect{Fault::kCount};
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    if (value.arena >= plan.arenas.size()) {
      return Defect{Fault::kCount, i, i};
    }
    const Arena& arena = plan.arenas[value.arena];
    if (plan.offsets[i] % value.alignment != 0 ||
        (value.size_bytes > 0 && arena.alignment % value.alignment != 0)) {
      return Defect{Fault::kMisaligned, i, i};
    }
    if (value.size_bytes > 0 && (value.size_bytes > arena.size_bytes ||
                                 plan.offsets[i] > arena.size_bytes - value.size_bytes)) {
      return Defect{Fault::kOutside, i, i};
    }
  }
  for (size_t i = 0; i < plan.arenas.size(); ++i) {
    if (plan.arenas[i].size_bytes < plan.arenas[i].lower_bound_bytes) {
      return Defect{Fault::kBelowBound, i, i};
    }
  }
  std::vector<Claim> claims;
  if (const std::optional<Defect> defect = collect_claims(values, plan, claims)) {
    return defect;
  }
  return check_overlaps(std::move(claims));
}

std::string describe(const Defect& defect) {
  const std::string value = "value " + std::to_string(defect.value);
  const std::string both =
      "values " + std::to_string(defect.value) + " and " + std::to_string(defect.other);
  switch (defect.fault) {
    case Fault::kSize:
      return value + " ends beyond 2^63 bytes";
    case Fault::kAlignment:
      return value +
             " has an alignment that is no power of two, or that its place in its block misses";
    case Fault::kLifetime:
      return value + " is last used before it is first used";
    case Fault::kArena:
      return value + " names an arena beyond the last of " + std::to_string(kMaxArenas);
    case Fault::kSplitBlock:
      return both + " name the same block in two arenas";
    case Fault::kCount:
      return "the plan has other values or fewer arenas than it was made for";
    case Fault::kMisaligned:
      return value + " is not aligned as it asks";
    case Fault::kOutside:
      return value + " ends beyond its arena";
    case Fault::kTornBlock:
      return both + " do not lie in their block as they ask";
    case Fault::kOverlap:
      return both + " are alive together and share bytes";
    case Fault::kBelowBound:
      return "arena " + std::to_string(defect.value) +
             " is smaller than the bytes alive at one step";
  }
  return "unknown defect";
}

}  // namespace cresset::memory_planner
