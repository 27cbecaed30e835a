// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elementwise.h"
#include "kernels/common/integer_elements.h"
#include "kernels/common/loop_nest.h"

// The loops of elementwise integer rows: operands of int8 and uint8 that broadcast, in any dim
// orders. The output may be the memory of an operand of its dtype, shape and layout.
namespace cresset::kernels {

// out[i] = finish(f(difference of a, difference of b)) with f : int32 x int32 -> T; `finish` turns
// runs of T into quantized numbers.
template <class T, class F, class Finish>
void map_differences(const Tensor& a, int64_t a_zero, const Tensor& b, int64_t b_zero, Tensor& out,
                     F f, Finish finish) {
  constexpr int64_t kChunk = 64;
  const Operand first(a), second(b);
  LoopNest<2> nest;
  for (const uint8_t d : out.dim_order()) {
    nest.push(out.size(d), {first.stride_bytes(d, out.rank()), second.stride_bytes(d, out.rank())});
  }
  const Differences x(a, a_zero), y(b, b_zero);
  IntegerOut to(out);
  const ptrdiff_t x_step = nest.inner_stride(0), y_step = nest.inner_stride(1);
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t at = 0; at < nest.inner_size(); at += kChunk) {
      const int64_t count = nest.inner_size() - at < kChunk ? nest.inner_size() - at : kChunk;
      int16_t xs[kChunk], ys[kChunk];
      T values[kChunk];
      int32_t results[kChunk];
      load_differences(x + (offsets[0] + at * x_step), x_step, count, xs);
      load_differences(y + (offsets[1] + at * y_step), y_step, count, ys);
      for (int64_t i = 0; i < count; ++i) {
        values[i] = f(xs[i], ys[i]);
      }
      finish(values, count, results);
      to.store_run(1, count, results);
      to = to + count;
    }
  });
}

}  // namespace cresset::kernels
