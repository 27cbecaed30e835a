// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/norm.h"

namespace cresset::kernels::portable {

// out = (input - mean) * rstd * weight + bias, mean and rstd = 1 / sqrt(variance + eps) of each
// group of channels of each batch element; weight and bias have one entry a channel.
Status native_group_norm(KernelContext& context, const Tensor& input, const Tensor* weight,
                         const Tensor* bias, int64_t, int64_t, int64_t, int64_t group, double eps,
                         Tensor& out, Tensor& mean, Tensor& rstd) {
  const Parameters parameters{weight, bias};
  const int64_t channels = input.size(1) / group;
  NormSet set;
  push_dim(&set, channels, input.stride(1), out.stride(1), 1, 1);
  int64_t count = channels;
  for (size_t d = 2; d < input.rank(); ++d) {
    push_dim(&set, input.size(d), input.stride(d), out.stride(d), 0, 0);
    count *= input.size(d);
  }
  return dispatch_norm(context, input.dtype(), mean.dtype(), [&](auto i, auto p) {
    using I = decltype(i);
    using P = decltype(p);
    const auto means = elements_of<P>(mean);
    const auto rstds = elements_of<P>(rstd);
    for (int64_t n = 0; n < input.size(0); ++n) {
      for (int64_t g = 0; g < group; ++g) {
        const int64_t first = g * channels;
        const auto in = elements_of<I>(input) + (n * input.stride(0) + first * input.stride(1));
        const auto moments = moments_of<I>(set, in, count);
        const auto scale = inverse_deviation(moments.variance, eps);
        normalize<I, P, I>(set, in, moments.mean, scale, parameters, first,
                           elements_of<I>(out) + (n * out.stride(0) + first * out.stride(1)));
        store(means, n * mean.stride(0) + g * mean.stride(1), moments.mean);
        store(rstds, n * rstd.stride(0) + g * rstd.stride(1), scale);
      }
    }
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
