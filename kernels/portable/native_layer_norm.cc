// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/norm.h"

namespace cresset::kernels::portable {

// out = (input - mean) * rstd * weight + bias over the last dimensions, those of normalized_shape;
// mean and rstd = 1 / sqrt(variance + eps) of each set are results too. weight and bias have any
// dim order.
Status native_layer_norm(KernelContext& context, const Tensor& input, ops::IntSpan normalized_shape,
                         const Tensor* weight, const Tensor* bias, double eps, Tensor& out,
                         Tensor& mean, Tensor& rstd) {
  const Parameters parameters{weight, bias};
  const size_t leading = input.rank() - normalized_shape.size();
  const LastDims dims(input, out, mean, parameters, leading);
  return dispatch_norm(context, input.dtype(), mean.dtype(), [&](auto i, auto p) {
    using I = decltype(i);
    using P = decltype(p);
    const auto means = elements_of<P>(mean);
    const auto rstds = elements_of<P>(rstd);
    dims.for_each_set([&](const ptrdiff_t* at) {
      const auto in = elements_of<I>(input) + at[0];
      const auto moments = moments_of<I>(dims.set, in, dims.count);
      const auto scale = inverse_deviation(moments.variance, eps);
      normalize<I, P, I>(dims.set, in, moments.mean, scale, parameters, 0,
                         elements_of<I>(out) + at[1]);
      store(means, at[2], moments.mean);
      store(rstds, at[2], scale);
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
