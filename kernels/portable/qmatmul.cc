// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/integer_matmul.h"

namespace cresset::kernels::portable {

// y = sum of (a[..., n, k] - a_zero) * (b[..., k, m] - b_zero), requantized; leading dimensions
// broadcast.
Status qmatmul(KernelContext& context, const Tensor& a, const Tensor& b, double a_scale,
               int64_t a_zero, double b_scale, int64_t b_zero, double y_scale, int64_t y_zero,
               int64_t y_min, int64_t y_max, IntSpan fixed, Optional<DType>, Tensor& out) {
  const Requantizer requantizer = Requantizer::of(
      quant_range(y_zero, y_min, y_max), ops::float_multiplier(a_scale, b_scale, y_scale), fixed);
  const size_t rank = out.rank(), ra = a.rank(), rb = b.rank();
  const Operand first(a), second(b);
  LoopNest<3> batches;
  for (size_t d = 0; d + 2 < rank; ++d) {
    batches.push(out.size(d), {first.stride_bytes(d, rank), second.stride_bytes(d, rank),
                               static_cast<ptrdiff_t>(out.stride(d))});
  }
  const Differences x(a, a_zero), y(b, b_zero);
  const IntegerOut to(out);
  const ProductSizes sizes{out.size(rank - 2), out.size(rank - 1), a.size(ra - 1)};
  batches.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < batches.inner_size(); ++i) {
      multiply_integers(
          context, sizes,
          {x + (offsets[0] + i * batches.inner_stride(0)), a.stride(ra - 2), a.stride(ra - 1)},
          {y + (offsets[1] + i * batches.inner_stride(1)), b.stride(rb - 2), b.stride(rb - 1)},
          nullptr, [&](int64_t) { return requantizer; },
          {to + (offsets[2] + i * batches.inner_stride(2)), out.stride(rank - 2),
           out.stride(rank - 1)});
    }
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
