// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_softmax.h"

#include "kernels/common/integer_elements.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

void softmax_integers(const Tensor& x, size_t dim, const int32_t* table, uint32_t multiplier,
                      int32_t shift, const QuantRange& range, Tensor& out) {
  int64_t count = 1, in_step = 0, out_step = 0;
  LoopNest<2> lines;
  for (const uint8_t d : out.dim_order()) {
    if (d == dim) {
      count = x.size(d), in_step = x.stride(d), out_step = out.stride(d);
    } else {
      lines.push(x.size(d),
                 {static_cast<ptrdiff_t>(x.stride(d)), static_cast<ptrdiff_t>(out.stride(d))});
    }
  }
  const Differences in(x, 0);
  const IntegerOut to(out);
  lines.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < lines.inner_size() && count > 0; ++i) {
      const Differences from = in + (offsets[0] + i * lines.inner_stride(0));
      const IntegerOut result = to + (offsets[1] + i * lines.inner_stride(1));
      int32_t greatest = from[0];
      for (int64_t k = 1; k < count; ++k) {
        greatest = from[k * in_step] > greatest ? from[k * in_step] : greatest;
      }
      uint32_t sum = 0;
      for (int64_t k = 0; k < count; ++k) {
        sum += static_cast<uint32_t>(table[greatest - from[k * in_step]]);
      }
      const ops::SoftmaxScale scale = ops::softmax_scale(sum, multiplier, shift);
      for (int64_t k = 0; k < count; ++k) {
        const uint32_t power = static_cast<uint32_t>(table[greatest - from[k * in_step]]);
        result.store(k * out_step, ops::softmax_element(range, power, scale));
      }
    }
  });
}

}  // namespace cresset::kernels
