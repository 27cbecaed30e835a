// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "core/parallel.h"

namespace cresset {

// Threads that share the loops of kernels. run() splits a range evenly, works on its own share, and
// returns when all is done; a range of one grain or less stays on the calling thread. Callers from
// several threads take turns, so that one pool may serve many methods.
class ThreadPool final : public ParallelFor {
 public:
  // `threads` counts the calling thread: 1 makes a pool without threads of its own. 0: one per
  // core.
  explicit ThreadPool(int threads);
  ~ThreadPool();  // no loop may be running
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;
  void run(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cresset
