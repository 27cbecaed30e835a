// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "backends/example/format.h"
#include "core/parallel.h"

namespace cresset::backends::example {

// A tensor as the loops see it: f32, row-major.
struct View {
  float* data = nullptr;
  uint32_t rank = 0;
  int32_t sizes[kRank] = {};

  int64_t numel() const {
    int64_t count = 1;
    for (uint32_t d = 0; d < rank; ++d) {
      count *= sizes[d];
    }
    return count;
  }
};

// The sizes of the node's result; false where its operands do not fit each other. `in` has null
// where the node has no such operand.
bool infer_sizes(const NodeRecord& node, const View* const in[3], View* out);

// Computes the node. The views have data and the sizes that infer_sizes gave. `parallel` may be
// null.
void compute(const NodeRecord& node, const View* const in[3], const View& out,
             ParallelFor* parallel);

}  // namespace cresset::backends::example
