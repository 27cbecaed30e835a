// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/memory_planner/memory_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>

#include "compiler/memory_planner/check_plan.h"

namespace cresset::memory_planner {
namespace {

Value value(uint64_t size_bytes, uint32_t first_use, uint32_t last_use, uint64_t alignment = 16) {
  return {.size_bytes = size_bytes,
          .alignment = alignment,
          .first_use = first_use,
          .last_use = last_use};
}

// Plans, checks the plan, and returns it; empty where planning failed.
Plan planned(const std::vector<Value>& values, const Options& options = {}) {
  Result<Plan> plan = plan_memory(values, options);
  if (!plan.ok()) {
    ADD_FAILURE() << "planning failed: " << status_text(plan.status());
    return {};
  }
  const std::optional<Defect> defect = check_plan(values, *plan);
  EXPECT_FALSE(defect) << describe(*defect);
  return std::move(plan).value();
}

uint64_t planned_bytes(const std::vector<Value>& values, const Options& options = {}) {
  const Plan plan = planned(values, options);
  return plan.arenas.empty() ? 0 : plan.arenas[0].size_bytes;
}

std::vector<Value> random_values(std::mt19937& random, size_t count, uint32_t steps,
                                 uint32_t max_life, uint64_t max_units, uint64_t unit) {
  std::vector<Value> values;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t first_use = random() % steps;
    values.push_back(
        value((1 + random() % max_units) * unit, first_use, first_use + random() % max_life));
  }
  return values;
}

// The reference that the header promises not to exceed, in its plainest form.
uint64_t first_free_slot_bytes(std::vector<Value> values) {
  std::stable_sort(values.begin(), values.end(),
                   [](const Value& a, const Value& b) { return a.size_bytes > b.size_bytes; });
  std::vector<std::vector<Value>> slots;
  for (const Value& v : values) {
    const auto fits = [&](const std::vector<Value>& slot) {
      return std::none_of(slot.begin(), slot.end(), [&](const Value& other) {
        return v.first_use <= other.last_use && other.first_use <= v.last_use;
      });
    };
    const auto slot = std::find_if(slots.begin(), slots.end(), fits);
    (slot == slots.end() ? slots.emplace_back() : *slot).push_back(v);
  }
  uint64_t bytes = 0;
  for (const std::vector<Value>& slot : slots) {
    bytes = (bytes + 15) / 16 * 16 + slot.front().size_bytes;
  }
  return bytes;
}

// The least arena for a handful of values, by trying every offset of every value.
class Brute {
 public:
  explicit Brute(const std::vector<Value>& values) : values_(values), begins_(values.size()) {}

  uint64_t least_bytes() {
    for (const Value& v : values_) {
      best_ += v.size_bytes + v.alignment;
    }
    place(0, 0);
    return best_;
  }

 private:
  void place(size_t i, uint64_t bytes) {
    if (i == values_.size()) {
      best_ = bytes;
      return;
    }
    const Value& v = values_[i];
    for (uint64_t begin = 0; std::max(bytes, begin + v.size_bytes) < best_; begin += v.alignment) {
      bool free = true;
      for (size_t j = 0; j < i && free; ++j) {
        const Value& w = values_[j];
        free = v.last_use < w.first_use || w.last_use < v.first_use ||
               begin + v.size_bytes <= begins_[j] || begins_[j] + w.size_bytes <= begin;
      }
      if (free) {
        begins_[i] = begin;
        place(i + 1, std::max(bytes, begin + v.size_bytes));
      }
    }
  }

  const std::vector<Value>& values_;
  std::vector<uint64_t> begins_;
  uint64_t best_ = 0;
};

TEST(PlanMemory, NothingNeedsNothing) {
  const Plan plan = planned({});
  EXPECT_TRUE(plan.offsets.empty());
  EXPECT_TRUE(plan.arenas.empty());
}

TEST(PlanMemory, OneValue) {
  const Plan plan = planned({value(24, 3, 3)});
  EXPECT_EQ(plan.offsets[0], 0u);
  EXPECT_EQ(plan.arenas[0].size_bytes, 24u);
  EXPECT_EQ(plan.arenas[0].alignment, 16u);
  EXPECT_EQ(plan.arenas[0].lower_bound_bytes, 24u);
  EXPECT_TRUE(plan.arenas[0].optimal);
}

TEST(PlanMemory, TouchingLivesNeverShare) {
  EXPECT_EQ(planned_bytes({value(32, 0, 1), value(32, 1, 2)}), 64u);
  EXPECT_EQ(planned_bytes({value(32, 0, 1), value(32, 2, 3)}), 32u);
}

TEST(PlanMemory, ChainNeedsItsLargestNeighbours) {
  std::vector<Value> values;
  const uint64_t sizes[] = {160, 640, 320, 960, 480, 64};
  for (uint32_t i = 0; i < 6; ++i) {
    values.push_back(value(sizes[i], i, i + 1));
  }
  const Plan plan = planned(values);
  EXPECT_EQ(plan.arenas[0].size_bytes, 960u + 480u);
  EXPECT_TRUE(plan.arenas[0].optimal);
}

TEST(PlanMemory, ResidualBlocksMeetTheBound) {
  // input -> expand -> depthwise -> project, and the input once more for the sum.
  std::vector<Value> values;
  uint32_t step = 0;
  for (int block = 0; block < 8; ++block, step += 4) {
    values.push_back(value(1024, step, step + 4));
    values.push_back(value(6144, step + 1, step + 2));
    values.push_back(value(6144, step + 2, step + 3));
    values.push_back(value(1024, step + 3, step + 4));
  }
  const Plan plan = planned(values);
  EXPECT_EQ(plan.arenas[0].lower_bound_bytes, 1024u + 2 * 6144u);
  EXPECT_EQ(plan.arenas[0].size_bytes, plan.arenas[0].lower_bound_bytes);
}

TEST(PlanMemory, SkipConnectionsOfAnEncoderDecoderMeetTheBound) {
  std::vector<Value> values;
  const uint32_t depth = 5;
  for (uint32_t i = 0; i < depth; ++i) {
    values.push_back(value(4096u >> i, i, 2 * depth - i));  // the skip
    values.push_back(value(2048u >> i, i, i + 1));          // pooled, to the next level
    values.push_back(value(4096u >> i, 2 * depth - i, 2 * depth - i + 1));
  }
  const Plan plan = planned(values);
  EXPECT_EQ(plan.arenas[0].size_bytes, plan.arenas[0].lower_bound_bytes);
}

TEST(PlanMemory, WhatGreedyMissesIsFoundBySearch) {
  const std::vector<Value> values = {value(32, 4, 5), value(80, 4, 7), value(128, 2, 2),
                                     value(48, 5, 7), value(32, 1, 4)};
  EXPECT_EQ(planned_bytes(values, {.search_steps = 0}), 192u);
  const Plan plan = planned(values);
  EXPECT_EQ(plan.arenas[0].size_bytes, 160u);
  EXPECT_EQ(plan.arenas[0].strategy, Strategy::kExhaustive);
  EXPECT_TRUE(plan.arenas[0].optimal);
}

TEST(PlanMemory, ABoundOutOfReachIsProvenToBe) {
  const std::vector<Value> values = {value(32, 4, 7), value(32, 7, 10), value(48, 2, 3),
                                     value(32, 5, 5), value(16, 3, 6),  value(32, 2, 5),
                                     value(48, 6, 9), value(32, 0, 2)};
  const Plan plan = planned(values);
  EXPECT_EQ(plan.arenas[0].lower_bound_bytes, 112u);
  EXPECT_EQ(plan.arenas[0].size_bytes, 128u);
  EXPECT_EQ(Brute(values).least_bytes(), 128u);
  EXPECT_TRUE(plan.arenas[0].optimal);
}

TEST(PlanMemory, SmallCasesAreOptimal) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::vector<Value> values = random_values(random, 1 + random() % 8, 7, 4, 5, 8);
    for (Value& v : values) {
      v.alignment = uint64_t{8} << (random() % 3);
    }
    const Plan plan = planned(values);
    ASSERT_TRUE(plan.arenas[0].optimal);
    ASSERT_EQ(plan.arenas[0].size_bytes, Brute(values).least_bytes()) << "round " << round;
  }
}

TEST(PlanMemory, RandomCasesPassTheCheckAndBeatReusableSlots) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const size_t count = 1 + random() % 120;
    const uint32_t max_life = 1 + random() % 40;
    const std::vector<Value> values = random_values(random, count, 60, max_life, 200, 4);
    const uint64_t reference = first_free_slot_bytes(values);
    EXPECT_LE(planned_bytes(values, {.search_steps = 0}), reference);
    EXPECT_LE(planned_bytes(values, {.search_steps = 100'000}), reference);
  }
}

TEST(PlanMemory, ManyLongLivesPassTheCheckAndBeatReusableSlots) {
  std::mt19937 random(3);
  const std::vector<Value> values = random_values(random, 1500, 1500, 1500, 1000, 16);
  EXPECT_LE(planned_bytes(values), first_free_slot_bytes(values));
}

TEST(PlanMemory, RandomBlocksArenasAndAlignmentsPassTheCheck) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<Value> values = random_values(random, 1 + random() % 60, 40, 12, 50, 1);
    for (Value& v : values) {
      v.alignment = uint64_t{1} << (random() % 8);
      v.arena = random() % 3;
      if (random() % 2 == 0) {
        v.block = v.arena * 1000 + random() % 8;
        v.offset_in_block = v.alignment * (random() % 3);
      }
      if (random() % 10 == 0) {
        v.size_bytes = 0;
      }
    }
    planned(values, {.search_steps = 50'000});
  }
}

TEST(PlanMemory, MoreSearchNeverHurts) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Value> values = random_values(random, 90, 90, 20, 1000, 16);
    EXPECT_LE(planned_bytes(values), planned_bytes(values, {.search_steps = 0}));
  }
}

TEST(PlanMemory, SearchImprovesWhatGreedyLeaves) {
  std::mt19937 random(6);
  const std::vector<Value> values = random_values(random, 200, 200, 12, 1000, 16);
  const Plan quick = planned(values, {.search_steps = 0});
  const Plan long_search = planned(values, {.search_steps = 20'000'000});
  EXPECT_LT(long_search.arenas[0].size_bytes, quick.arenas[0].size_bytes);
  EXPECT_LT(static_cast<double>(long_search.arenas[0].size_bytes),
            1.02 * static_cast<double>(long_search.arenas[0].lower_bound_bytes));
}

TEST(PlanMemory, EqualInputGivesEqualPlans) {
  std::mt19937 random(8);
  const std::vector<Value> values = random_values(random, 150, 100, 30, 1000, 16);
  EXPECT_EQ(planned(values).offsets, planned(values).offsets);
}

TEST(PlanMemory, BlocksAreSharedAndLiveOverAllTheirValues) {
  std::vector<Value> values = {value(64, 0, 1), value(64, 1, 4), value(64, 2, 3), value(64, 5, 6)};
  values[0].block = 7;
  values[1].block = 7;  // computed in place
  const Plan plan = planned(values);
  EXPECT_EQ(plan.offsets[0], plan.offsets[1]);
  EXPECT_NE(plan.offsets[2], plan.offsets[0]);
  EXPECT_EQ(plan.arenas[0].size_bytes, 128u);
}

TEST(PlanMemory, BlocksHaveNoHoles) {
  std::vector<Value> values = {value(64, 0, 1), value(64, 6, 7), value(64, 3, 4)};
  values[0].block = 0;
  values[1].block = 0;
  EXPECT_EQ(planned_bytes(values), 128u);
}

TEST(PlanMemory, PartsLieInTheirBlockAsAsked) {
  std::vector<Value> values = {value(32, 0, 5), value(48, 1, 5), value(80, 3, 5)};
  for (Value& v : values) {
    v.block = 1;
  }
  values[1].offset_in_block = 32;
  values.push_back(value(16, 0, 6));
  const Plan plan = planned(values);
  EXPECT_EQ(plan.offsets[1], plan.offsets[0] + 32);
  EXPECT_EQ(plan.offsets[2], plan.offsets[0]);
  EXPECT_EQ(plan.arenas[0].size_bytes, 96u);
}

TEST(PlanMemory, NamesOfBlocksDoNotMatter) {
  std::vector<Value> values = {value(64, 0, 3), value(32, 1, 5), value(96, 3, 4), value(32, 4, 9)};
  values[0].block = 1;
  values[1].block = 2;
  const std::vector<uint64_t> offsets = planned(values).offsets;
  values[0].block = 4000;
  values[1].block = 3;
  EXPECT_EQ(planned(values).offsets, offsets);
}

TEST(PlanMemory, ArenasAreIndependent) {
  std::vector<Value> values = {value(64, 0, 9), value(128, 0, 9), value(32, 0, 9)};
  values[1].arena = 2;
  values[1].alignment = 64;
  const Plan plan = planned(values);
  ASSERT_EQ(plan.arenas.size(), 3u);
  EXPECT_EQ(plan.arenas[0].size_bytes, 96u);
  EXPECT_EQ(plan.arenas[1].size_bytes, 0u);
  EXPECT_EQ(plan.arenas[1].strategy, Strategy::kNone);
  EXPECT_EQ(plan.arenas[2].size_bytes, 128u);
  EXPECT_EQ(plan.arenas[0].alignment, 16u);
  EXPECT_EQ(plan.arenas[2].alignment, 64u);
}

TEST(PlanMemory, SmallValuesFillThePaddingOfAlignedOnes) {
  EXPECT_EQ(planned_bytes({value(40, 0, 1, 64), value(40, 0, 1, 64), value(24, 0, 1, 8)}), 104u);
}

TEST(PlanMemory, EmptyValuesTakeNoRoom) {
  const Plan plan = planned({value(0, 0, 9), value(64, 0, 9), value(0, 2, 2, 4096)});
  EXPECT_EQ(plan.arenas[0].size_bytes, 64u);
}

TEST(PlanMemory, HugeSizesAreCountedExactly) {
  const uint64_t huge = uint64_t{1} << 63;
  EXPECT_EQ(planned_bytes({value(huge, 0, 1), value(huge, 2, 3)}), huge);
  EXPECT_EQ(planned_bytes({value(huge, 0, 1), value(huge - 16, 1, 3)}), huge + (huge - 16));
}

TEST(PlanMemory, SizesBeyondAddressesAreRefused) {
  const uint64_t huge = uint64_t{1} << 63;
  const std::vector<Value> two = {value(huge, 0, 1), value(huge, 1, 2)};
  EXPECT_EQ(plan_memory(two).status(), Status::kOutOfResources);
  const std::vector<Value> three = {value(huge, 0, 1), value(huge, 1, 2), value(huge, 0, 2)};
  EXPECT_EQ(plan_memory(three).status(), Status::kOutOfResources);
}

TEST(PlanMemory, UnsoundValuesAreRefused) {
  const std::vector<Value> backwards = {value(16, 2, 1)};
  EXPECT_EQ(plan_memory(backwards).status(), Status::kInvalidArgument);
}

TEST(PlanMemory, EndsOfTimeAreSteps) {
  const uint32_t end = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(planned_bytes({value(16, 0, end), value(32, end, end), value(32, 0, 0)}), 48u);
}

// Far above what a host takes, so that only a change of complexity fails here.
TEST(PlanMemory, ThousandsOfValuesArePlannedAtOnce) {
  std::mt19937 random(9);
  for (const uint32_t max_life : {10u, 100u, 5000u}) {
    const std::vector<Value> values = random_values(random, 5000, 5000, max_life, 1000, 16);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(plan_memory(values).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
}

TEST(StrategyName, NamesAreDistinct) {
  EXPECT_STREQ(strategy_name(Strategy::kGreedy), "greedy");
  EXPECT_STREQ(strategy_name(Strategy::kExhaustive), "exhaustive");
}

}  // namespace
}  // namespace cresset::memory_planner
