// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "runtime/verify_program.h"

namespace cresset {

// Counts list items against what a FlatBuffer of that size can hold when no list is shared.
class WorkBudget {
 public:
  explicit WorkBudget(uint64_t flat_bytes) : left_(flat_bytes + 1024) {}
  bool spend(uint64_t items) {
    if (items > left_) {
      return false;
    }
    left_ -= items;
    return true;
  }

 private:
  uint64_t left_;
};

// verify_program()'s part for one method.
Status verify_plan(const fb::Program& program, const fb::ExecutionPlan& plan, WorkBudget& budget,
                   Message& message);

}  // namespace cresset
