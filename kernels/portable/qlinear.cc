// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_matmul.h"

namespace cresset::kernels::portable {

// y[..., m] = sum of (x[..., k] - x_zero) * weight[m, k], plus bias[m]; requantized.
Status qlinear(KernelContext& context, const Tensor& x, const Tensor& weight, const Tensor* bias,
               const Tensor& scale, const Tensor* shift, double x_scale, int64_t x_zero,
               double y_scale, int64_t y_zero, int64_t y_min, int64_t y_max, Optional<DType>,
               Tensor& out) {
  const ChannelScales scales{scale, shift, x_scale, y_scale, quant_range(y_zero, y_min, y_max)};
  CRESSET_TRY(scales.check(context));
  const size_t last = x.rank() - 1;
  LoopNest<2> rows;
  for (size_t d = 0; d < last; ++d) {
    rows.push(x.size(d),
              {static_cast<ptrdiff_t>(x.stride(d)), static_cast<ptrdiff_t>(out.stride(d))});
  }
  const Differences in(x, x_zero), factors(weight, 0);
  const IntegerOut to(out);
  rows.for_each_run([&](const ptrdiff_t* offsets) {
    multiply_integers(context, {rows.inner_size(), weight.size(0), weight.size(1)},
                      {in + offsets[0], rows.inner_stride(0), x.stride(last)},
                      {factors, weight.stride(1), weight.stride(0)},
                      bias == nullptr ? nullptr : bias->data<int32_t>(),
                      [&](int64_t column) { return scales.of(column); },
                      {to + offsets[1], rows.inner_stride(1), out.stride(last)});
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
