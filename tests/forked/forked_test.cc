// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/forked/forked.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace cresset::tests {
namespace {

std::vector<Outcome> run(size_t items, const ForkedOptions& options, const Work& work) {
  std::vector<Outcome> outcomes;
  run_forked(items, options, work, [&](size_t item, const Outcome& outcome) {
    EXPECT_EQ(item, outcomes.size());
    outcomes.push_back(outcome);
  });
  return outcomes;
}

TEST(Forked, CountsAndKeepsTheOrder) {
  const auto outcomes = run(20, {4, 10, true}, [](size_t item, size_t first, Reporter& reporter) {
    for (size_t step = first; step < 3; ++step) {
      reporter.begin("step");
      if (step == 0) {
        reporter.pass();
      } else if (step == 1) {
        reporter.fail("item " + std::to_string(item) + std::string(100000, 'x'));
      } else {
        reporter.skip("why");
      }
    }
  });
  ASSERT_EQ(outcomes.size(), 20u);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].passed, 1u);
    EXPECT_EQ(outcomes[i].failures[0].substr(0, 7),
              ("item " + std::to_string(i) + "x").substr(0, 7));
    EXPECT_EQ(outcomes[i].skips, std::vector<std::string>{"why"});
  }
}

TEST(Forked, ACrashFailsOneStepOnly) {
  const auto work = [](size_t, size_t first, Reporter& reporter) {
    for (size_t step = first; step < 3; ++step) {
      reporter.begin("step " + std::to_string(step));
      if (step == 1) {
        std::raise(SIGKILL);
      }
      reporter.pass();
    }
  };
  const auto resumed = run(1, {1, 10, true}, work);
  EXPECT_EQ(resumed[0].passed, 2u);
  EXPECT_EQ(resumed[0].failures, std::vector<std::string>{"step 1: crashed: Killed"});
  const auto given_up = run(1, {1, 10, false}, work);
  EXPECT_EQ(given_up[0].passed, 1u);
  EXPECT_EQ(given_up[0].failed, 1u);
}

TEST(Forked, AStepMayNotTakeForever) {
  const auto outcomes = run(1, {1, 1, true}, [](size_t, size_t first, Reporter& reporter) {
    if (first == 0) {
      reporter.begin("slow");
      ::sleep(30);
    }
  });
  EXPECT_EQ(outcomes[0].failures, std::vector<std::string>{"slow: took too long"});
}

}  // namespace
}  // namespace cresset::tests
