// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/norm.h"

namespace cresset::kernels::portable {

// out = input / sqrt(mean of squares over the last dimensions + eps) * weight. Without eps, the
// smallest step above 1 of the input's dtype.
Status rms_norm(KernelContext& context, const Tensor& input, ops::IntSpan normalized_shape,
                const Tensor* weight, Optional<double> eps, Tensor& out) {
  const Parameters parameters{weight, nullptr};
  const double added = eps.value_or(input.dtype() == DType::kFloat64    ? 0x1p-52
                                    : input.dtype() == DType::kFloat32  ? 0x1p-23
                                    : input.dtype() == DType::kBFloat16 ? 0x1p-7
                                                                        : 0x1p-10);
  const LastDims dims(input, out, out, parameters, input.rank() - normalized_shape.size());
  return dispatch_norm(context, input.dtype(), out.dtype(), [&](auto i, auto o) {
    using I = decltype(i);
    using O = decltype(o);
    using C = typename I::Compute;
    dims.for_each_set([&](const ptrdiff_t* at) {
      const auto in = elements_of<I>(input) + at[0];
      const C square = sum_over<I>(dims.set, in, 0, true) / static_cast<C>(dims.count);
      normalize<I, O, O>(dims.set, in, 0, inverse_deviation(square, added), parameters, 0,
                         elements_of<O>(out) + at[1]);
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
