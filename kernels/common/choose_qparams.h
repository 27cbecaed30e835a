// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "kernels/common/reduce.h"

namespace cresset::kernels {

// f(low, high, double* scale, int64_t* zero_point) for each result of a reduction over the
// dimensions in `mask`: the least and the greatest element, and 0 if it lies outside of them.
template <class C, class F>
void choose_qparams(const Tensor& input, uint32_t mask, Tensor& scale, Tensor& zero_point, F f) {
  const Reduction plan = plan_reduction(input, mask, Order::kMemory, scale, &zero_point);
  for_each_result(plan, [&](const uint8_t* self, uint8_t* first, uint8_t* second) {
    C low = 0, high = 0;
    for_each_chunk<C>(plan, self, [&](const C* values, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
      }
    });
    f(low, high, reinterpret_cast<double*>(first), reinterpret_cast<int64_t*>(second));
  });
}

}  // namespace cresset::kernels
