// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/function_ref.h"

namespace cresset {

// Runs loops for kernels, on one thread or many. Implementations outlive every kernel call that
// uses them; run() returns when all of the range is done and may be called from one thread at a
// time.
class ParallelFor {
 public:
  // Calls body(first, last) on disjoint pieces that together are [0, count), each of at least
  // `grain` iterations where the range allows. The body must not throw and must not call run().
  virtual void run(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) = 0;

 protected:
  ~ParallelFor() = default;  // never deleted through this interface
};

}  // namespace cresset
