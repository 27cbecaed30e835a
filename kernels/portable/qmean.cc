// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/integer_elements.h"
#include "kernels/common/integer_mean.h"
#include "kernels/common/reduce.h"

namespace cresset::kernels::portable {

// y = the mean of (x - x_zero) along the dimensions, along all where there are none; requantized.
Status qmean(KernelContext&, const Tensor& x, double x_scale, int64_t x_zero, double y_scale,
             int64_t y_zero, int64_t y_min, int64_t y_max, Optional<IntSpan> dim, bool,
             IntSpan fixed, Optional<DType>, Tensor& out) {
  const uint32_t mask = dim.has_value() ? reduced_mask(*dim, x.rank()) : ~0u;
  const Reduction plan = plan_reduction(x, mask, Order::kMemory, out);
  const Differences in(x, x_zero);
  IntegerOut to(out);
  const MeanRequantizer requantize(quant_range(y_zero, y_min, y_max), x_scale, y_scale, fixed,
                                   plan.count);
  for_each_result(plan, [&](const uint8_t* from, uint8_t* result, uint8_t*) {
    uint32_t sum = 0;
    plan.reduced.for_each_run([&](const ptrdiff_t* offsets) {
      const uint8_t* const run = from + offsets[0];
      for (int64_t i = 0; i < plan.reduced.inner_size(); ++i) {
        sum += static_cast<uint32_t>(in.of(run[i * plan.reduced.inner_stride(0)]));
      }
    });
    to.data = result;
    to.store(0, requantize(static_cast<int32_t>(sum), plan.count));
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
