// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/threads/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace cresset {
namespace {

void expect_each_once(ThreadPool* pool, int64_t count, int64_t grain) {
  std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
  std::atomic<int64_t> smallest = count;
  pool->run(count, grain, [&](int64_t first, int64_t last) {
    if (last != count) {
      smallest = std::min<int64_t>(smallest, last - first);
    }
    for (int64_t i = first; i < last; ++i) {
      ++visits[static_cast<size_t>(i)];
    }
  });
  for (const std::atomic<int>& visit : visits) {
    ASSERT_EQ(visit, 1);
  }
  if (count > grain) {
    EXPECT_GE(smallest, std::min(grain, count));
  }
}

TEST(ThreadPool, VisitsEachIterationOnce) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const int64_t count : {0, 1, 7, 64, 1000}) {
      expect_each_once(&pool, count, 1);
      expect_each_once(&pool, count, 100);
    }
  }
}

TEST(ThreadPool, ServesSeveralCallers) {
  ThreadPool pool(2);
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 200; ++k) {
        std::atomic<int64_t> sum = 0;
        pool.run(100, 1, [&](int64_t first, int64_t last) {
          for (int64_t j = first; j < last; ++j) {
            sum += j;
          }
        });
        ASSERT_EQ(sum, 4950);
      }
    });
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
}

}  // namespace
}  // namespace cresset
