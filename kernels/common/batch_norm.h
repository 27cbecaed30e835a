// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/norm.h"

namespace cresset::kernels {

// Statistics that follow the batches; both null or neither.
struct RunningStatistics {
  Tensor* mean;
  Tensor* variance;
};

// out = (input - mean) / sqrt(variance + eps) * weight + bias for each channel, dimension 1.
Status batch_norm_with_statistics(KernelContext& context, const Tensor& input,
                                  const Parameters& parameters, const Tensor& mean,
                                  const Tensor& variance, double eps, Tensor& out);

// The same with the mean and variance of the batch, which go to `mean` and `invstd`
// (1 / sqrt(variance + eps)), and, weighed by momentum, into the running statistics (the variance
// unbiased).
Status batch_norm_of_batch(KernelContext& context, const Tensor& input,
                           const Parameters& parameters, const RunningStatistics& running,
                           double momentum, double eps, Tensor& out, Tensor& mean, Tensor& invstd);

}  // namespace cresset::kernels
