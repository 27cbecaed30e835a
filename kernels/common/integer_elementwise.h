// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elementwise.h"
#include "kernels/common/integer_elements.h"
#include "kernels/common/loop_nest.h"

// The loops of elementwise integer rows: operands of int8 and uint8 that broadcast, in any dim
// orders. The output may be the memory of an operand of its dtype, shape and layout.
namespace cresset::kernels {

// out[i] = f(difference of a, difference of b).
template <class F>
void map_differences(const Tensor& a, int64_t a_zero, const Tensor& b, int64_t b_zero, Tensor& out,
                     F f) {
  const Operand first(a), second(b);
  LoopNest<2> nest;
  for (const uint8_t d : out.dim_order()) {
    nest.push(out.size(d), {first.stride_bytes(d, out.rank()), second.stride_bytes(d, out.rank())});
  }
  const Differences x(a, a_zero), y(b, b_zero);
  IntegerOut to(out);
  const ptrdiff_t x_step = nest.inner_stride(0), y_step = nest.inner_stride(1);
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    const int64_t count = nest.inner_size();
    for (int64_t i = 0; i < count; ++i) {
      to.store(i, f(x[offsets[0] + i * x_step], y[offsets[1] + i * y_step]));
    }
    to = to + count;
  });
}

}  // namespace cresset::kernels
