// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>

#include "kernels/common/elements.h"

namespace cresset::kernels {

// A row of numbers in memory.
template <class In>
struct Line {
  In data;
  int64_t step;
};

// The p-norm of a - b, p >= 0: 0 counts differences, infinity takes the largest. NaN stays.
template <class E>
typename E::Compute distance(const Line<typename E::In>& a, const Line<typename E::In>& b,
                             int64_t count, double p) {
  using C = typename E::Compute;
  C sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const C d = std::fabs(a.data[i * a.step] - b.data[i * b.step]);
    if (p == 2) {
      sum += d * d;
    } else if (p == 1) {
      sum += d;
    } else if (p == 0) {
      sum += d != d ? d : static_cast<C>(d != 0);
    } else if (std::isinf(p)) {
      sum = d > sum || d != d ? d : sum;
    } else {
      sum += std::pow(d, static_cast<C>(p));
    }
  }
  return p == 2                              ? std::sqrt(sum)
         : p == 1 || p == 0 || std::isinf(p) ? sum
                                             : std::pow(sum, static_cast<C>(1 / p));
}

}  // namespace cresset::kernels
