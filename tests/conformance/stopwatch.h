// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <limits>

namespace cresset::tests {

// The processor time that one call takes: the least of all laps.
class Stopwatch {
 public:
  // How often a case is to be called.
  explicit Stopwatch(size_t laps) : laps_(laps) {}
  size_t laps() const { return laps_; }

  // Does `call`, as one lap; returns what it returns.
  template <typename Call>
  auto lap(const Call& call) {
    const double start = now();
    auto result = call();
    least_ = std::min(least_, now() - start);
    return result;
  }

  // In microseconds; infinite without a lap.
  double least() const { return least_; }

 private:
  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
  }

  size_t laps_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace cresset::tests
