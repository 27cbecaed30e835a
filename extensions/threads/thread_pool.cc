// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/threads/thread_pool.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace cresset {

struct ThreadPool::State {
  using Body = FunctionRef<void(int64_t, int64_t)>;

  std::mutex turn;  // one loop at a time
  std::mutex mutex;
  std::condition_variable work, done;
  const Body* body = nullptr;
  int64_t count = 0;
  int64_t piece = 0;
  int64_t next = 0;   // first iteration that nobody has taken
  int running = 0;    // workers inside the loop
  uint64_t loop = 0;  // number of the current loop
  bool stop = false;
  std::vector<std::thread> workers;

  // Takes pieces until none are left. `lock` is held on entry and on return.
  void take_pieces(std::unique_lock<std::mutex>* lock) {
    while (next < count) {
      const int64_t first = next;
      next = std::min(count, next + piece);
      const int64_t last = next;
      const Body* current = body;
      lock->unlock();
      (*current)(first, last);
      lock->lock();
    }
  }

  void work_until_stopped() {
    std::unique_lock<std::mutex> lock(mutex);
    uint64_t seen = 0;
    while (true) {
      work.wait(lock, [&] { return stop || loop != seen; });
      if (stop) {
        return;
      }
      seen = loop;
      ++running;
      take_pieces(&lock);
      if (--running == 0) {
        done.notify_all();
      }
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  if (threads <= 0) {
    threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }
  for (int i = 1; i < threads; ++i) {
    state_->workers.emplace_back([this] { state_->work_until_stopped(); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->stop = true;
  }
  state_->work.notify_all();
  for (std::thread& worker : state_->workers) {
    worker.join();
  }
}

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) {
  grain = std::max<int64_t>(grain, 1);
  if (state_->workers.empty() || count <= grain) {
    if (count > 0) {
      body(0, count);
    }
    return;
  }
  State& s = *state_;
  const std::lock_guard<std::mutex> turn(s.turn);
  std::unique_lock<std::mutex> lock(s.mutex);
  s.body = &body;
  s.count = count;
  s.next = 0;
  s.piece = std::max(grain, (count + threads() - 1) / threads());
  ++s.loop;
  s.work.notify_all();
  s.take_pieces(&lock);
  s.done.wait(lock, [&] { return s.running == 0; });
  s.body = nullptr;
}

}  // namespace cresset
