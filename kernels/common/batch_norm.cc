// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/batch_norm.h"

namespace cresset::kernels {

namespace {

// The elements of one channel, and how many.
int64_t channel_set(const Tensor& input, const Tensor& out, NormSet* set) {
  int64_t count = 1;
  for (size_t d = 0; d < input.rank(); ++d) {
    if (d != 1) {
      push_dim(set, input.size(d), input.stride(d), out.stride(d), 0, 0);
      count *= input.size(d);
    }
  }
  return count;
}

}  // namespace

Status batch_norm_with_statistics(KernelContext& context, const Tensor& input,
                                  const Parameters& parameters, const Tensor& mean,
                                  const Tensor& variance, double eps, Tensor& out) {
  NormSet set;
  channel_set(input, out, &set);
  return dispatch_norm(context, input.dtype(), mean.dtype(), [&](auto i, auto p) {
    using I = decltype(i);
    using P = decltype(p);
    using C = typename I::Compute;
    for (int64_t c = 0; c < input.size(1); ++c) {
      const C center = elements_of<P>(mean)[c];
      const C scale = inverse_deviation<C>(elements_of<P>(variance)[c], eps);
      normalize<I, P, I>(set, elements_of<I>(input) + c * input.stride(1), center, scale,
                         parameters, c, elements_of<I>(out) + c * out.stride(1));
    }
    return Status::kOk;
  });
}

Status batch_norm_of_batch(KernelContext& context, const Tensor& input,
                           const Parameters& parameters, const RunningStatistics& running,
                           double momentum, double eps, Tensor& out, Tensor& mean, Tensor& invstd) {
  NormSet set;
  const int64_t count = channel_set(input, out, &set);
  return dispatch_norm(context, input.dtype(), mean.dtype(), [&](auto i, auto p) {
    using I = decltype(i);
    using P = decltype(p);
    using C = typename I::Compute;
    for (int64_t c = 0; c < input.size(1); ++c) {
      const auto in = elements_of<I>(input) + c * input.stride(1);
      const auto moments = moments_of<I>(set, in, count);
      const C scale = inverse_deviation(moments.variance, eps);
      normalize<I, P, I>(set, in, moments.mean, scale, parameters, c,
                         elements_of<I>(out) + c * out.stride(1));
      store(elements_of<P>(mean), c, moments.mean);
      store(elements_of<P>(invstd), c, scale);
      if (running.mean != nullptr) {
        const C share = static_cast<C>(momentum);
        const C unbiased = moments.variance * static_cast<C>(count) / static_cast<C>(count - 1);
        const auto follow = [&](Tensor* statistic, C value) {
          const auto at = elements_of<P>(*statistic);
          const C old = elements_of<P>(static_cast<const Tensor&>(*statistic))[c];
          store(at, c, (C(1) - share) * old + share * value);
        };
        follow(running.mean, moments.mean);
        follow(running.variance, unbiased);
      }
    }
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
