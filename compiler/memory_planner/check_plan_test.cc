// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/memory_planner/check_plan.h"

#include <gtest/gtest.h>

namespace cresset::memory_planner {
namespace {

// Values 0 and 1 are alive together, 2 comes after both, 3 and 4 share block 5.
std::vector<Value> sound_values() {
  std::vector<Value> values(5);
  values[0] = {.size_bytes = 32, .first_use = 0, .last_use = 2};
  values[1] = {.size_bytes = 64, .first_use = 1, .last_use = 2};
  values[2] = {.size_bytes = 48, .first_use = 3, .last_use = 4};
  values[3] = {.size_bytes = 16, .first_use = 3, .last_use = 3, .block = 5};
  values[4] = {.size_bytes = 16, .first_use = 5, .last_use = 6, .block = 5, .offset_in_block = 16};
  return values;
}

Plan sound_plan() {
  Plan plan;
  plan.offsets = {0, 32, 0, 64, 80};
  plan.arenas = {{.size_bytes = 96, .alignment = 16, .lower_bound_bytes = 96}};
  return plan;
}

void expect_defect(const std::optional<Defect>& defect, Fault fault, size_t value, size_t other) {
  ASSERT_TRUE(defect);
  EXPECT_EQ(defect->fault, fault) << describe(*defect);
  EXPECT_EQ(defect->value, value);
  EXPECT_EQ(defect->other, other);
  EXPECT_FALSE(describe(*defect).empty());
}

TEST(CheckValues, SoundOnesPass) {
  EXPECT_FALSE(check_values(sound_values()));
  EXPECT_FALSE(check_values({}));
}

TEST(CheckValues, SizeBeyondTheLimit) {
  std::vector<Value> values = sound_values();
  values[1].size_bytes = (uint64_t{1} << 63) + 1;
  expect_defect(check_values(values), Fault::kSize, 1, 1);
  values[1].size_bytes = uint64_t{1} << 63;
  EXPECT_FALSE(check_values(values));
  values[1].offset_in_block = 16;
  expect_defect(check_values(values), Fault::kSize, 1, 1);
}

TEST(CheckValues, AlignmentIsAPowerOfTwo) {
  for (const uint64_t alignment : {0u, 3u, 24u}) {
    std::vector<Value> values = sound_values();
    values[2].alignment = alignment;
    expect_defect(check_values(values), Fault::kAlignment, 2, 2);
  }
}

TEST(CheckValues, PlaceInTheBlockIsAligned) {
  std::vector<Value> values = sound_values();
  values[4].offset_in_block = 8;
  expect_defect(check_values(values), Fault::kAlignment, 4, 4);
}

TEST(CheckValues, LivesRunForward) {
  std::vector<Value> values = sound_values();
  values[0].first_use = 3;
  expect_defect(check_values(values), Fault::kLifetime, 0, 0);
}

TEST(CheckValues, ArenasAreFew) {
  std::vector<Value> values = sound_values();
  values[0].arena = kMaxArenas;
  expect_defect(check_values(values), Fault::kArena, 0, 0);
}

TEST(CheckValues, ABlockLiesInOneArena) {
  std::vector<Value> values = sound_values();
  values[4].arena = 1;
  expect_defect(check_values(values), Fault::kSplitBlock, 3, 4);
}

TEST(CheckPlan, SoundOnePasses) { EXPECT_FALSE(check_plan(sound_values(), sound_plan())); }

TEST(CheckPlan, ValuesAreCheckedFirst) {
  std::vector<Value> values = sound_values();
  values[0].first_use = 3;
  expect_defect(check_plan(values, sound_plan()), Fault::kLifetime, 0, 0);
}

TEST(CheckPlan, EveryValueHasAPlace) {
  Plan plan = sound_plan();
  plan.offsets.pop_back();
  expect_defect(check_plan(sound_values(), plan), Fault::kCount, 0, 0);
  plan = sound_plan();
  plan.arenas.clear();
  expect_defect(check_plan(sound_values(), plan), Fault::kCount, 0, 0);
}

TEST(CheckPlan, OffsetsAreAligned) {
  Plan plan = sound_plan();
  plan.offsets[2] = 8;
  expect_defect(check_plan(sound_values(), plan), Fault::kMisaligned, 2, 2);
}

TEST(CheckPlan, ArenasPromiseTheAlignment) {
  Plan plan = sound_plan();
  plan.arenas[0].alignment = 8;
  expect_defect(check_plan(sound_values(), plan), Fault::kMisaligned, 0, 0);
}

TEST(CheckPlan, ValuesEndInsideTheirArena) {
  Plan plan = sound_plan();
  plan.offsets[2] = 64;
  expect_defect(check_plan(sound_values(), plan), Fault::kOutside, 2, 2);
  plan.offsets[2] = ~uint64_t{15};
  expect_defect(check_plan(sound_values(), plan), Fault::kOutside, 2, 2);
}

TEST(CheckPlan, BlocksAreKeptTogether) {
  Plan plan = sound_plan();
  plan.offsets[4] = 64;
  expect_defect(check_plan(sound_values(), plan), Fault::kTornBlock, 3, 4);
  plan.offsets[4] = 0;
  expect_defect(check_plan(sound_values(), plan), Fault::kTornBlock, 4, 4);
}

TEST(CheckPlan, WhatIsAliveTogetherSharesNothing) {
  Plan plan = sound_plan();
  plan.offsets[1] = 16;
  expect_defect(check_plan(sound_values(), plan), Fault::kOverlap, 0, 1);
  plan.offsets[1] = 0;
  expect_defect(check_plan(sound_values(), plan), Fault::kOverlap, 0, 1);
}

TEST(CheckPlan, ABlockIsHeldBetweenItsUses) {
  std::vector<Value> values = sound_values();
  values.push_back({.size_bytes = 16, .first_use = 4, .last_use = 4});
  Plan plan = sound_plan();
  plan.offsets.push_back(64);
  expect_defect(check_plan(values, plan), Fault::kOverlap, 3, 5);
}

TEST(CheckPlan, OtherArenasDoNotMeet) {
  std::vector<Value> values = sound_values();
  values[1].arena = 1;
  Plan plan = sound_plan();
  plan.arenas.push_back({.size_bytes = 64, .alignment = 16, .lower_bound_bytes = 64});
  plan.offsets[1] = 0;
  EXPECT_FALSE(check_plan(values, plan));
}

TEST(CheckPlan, NoArenaIsBelowItsBound) {
  Plan plan = sound_plan();
  plan.arenas[0].lower_bound_bytes = 97;
  expect_defect(check_plan(sound_values(), plan), Fault::kBelowBound, 0, 0);
}

// Against the definition, over plans of which many are wrong.
TEST(CheckPlan, AgreesWithComparingAllPairs) {
  uint32_t state = 12345;
  const auto below = [&](uint32_t count) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % count;
  };
  int wrong = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Value> values(2 + below(7));
    Plan plan;
    plan.arenas = {{.size_bytes = 1000, .alignment = 1}};
    for (Value& value : values) {
      value.size_bytes = below(6);
      value.alignment = 1;
      value.first_use = below(10);
      value.last_use = value.first_use + below(4);
      plan.offsets.push_back(below(30));
    }
    bool overlap = false;
    for (size_t i = 0; i < values.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const Value& a = values[i];
        const Value& b = values[j];
        overlap |= a.size_bytes > 0 && b.size_bytes > 0 && a.first_use <= b.last_use &&
                   b.first_use <= a.last_use && plan.offsets[i] < plan.offsets[j] + b.size_bytes &&
                   plan.offsets[j] < plan.offsets[i] + a.size_bytes;
      }
    }
    wrong += overlap;
    const std::optional<Defect> defect = check_plan(values, plan);
    ASSERT_EQ(defect.has_value(), overlap);
    if (defect) {
      ASSERT_EQ(defect->fault, Fault::kOverlap);
    }
  }
  EXPECT_GT(wrong, 300);
  EXPECT_LT(wrong, 1900);
}

}  // namespace
}  // namespace cresset::memory_planner
