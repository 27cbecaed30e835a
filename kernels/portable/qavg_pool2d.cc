// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_elements.h"
#include "kernels/common/integer_mean.h"
#include "kernels/common/pool.h"

namespace cresset::kernels::portable {

// y = mean of (x - x_zero) over each window of the last 2 dimensions, requantized; padding adds
// nothing to the sum.
Status qavg_pool2d(KernelContext& context, const Tensor& x, double x_scale, int64_t x_zero,
                   double y_scale, int64_t y_zero, int64_t y_min, int64_t y_max,
                   IntSpan kernel_size, IntSpan stride, IntSpan padding, bool,
                   bool count_include_pad, Optional<int64_t> divisor_override, IntSpan fixed,
                   Optional<DType>, Tensor& out) {
  const Pool pool(2, kernel_size, stride, padding, {});
  const Volume in(x, 2), to(out, 2);
  const Differences from(x, x_zero);
  const IntegerOut result(out);
  const MeanRequantizer requantize(quant_range(y_zero, y_min, y_max), x_scale, y_scale, fixed,
                                   divisor_override.value_or(pool.kernel[1] * pool.kernel[2]));
  for_each_window(context, pool, in, to, [&](const Window& window, int64_t plane, const Place& at) {
    uint32_t sum = 0;
    for_each_in_window(pool, in, window, [&](int64_t offset, int64_t) {
      sum += static_cast<uint32_t>(from[plane + offset]);
    });
    const int64_t count =
        divisor_override.value_or(count_include_pad ? window.size : window.positions());
    result.store(to.offset(at), requantize(static_cast<int32_t>(sum), count));
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
