// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/batch_norm.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// Batch norm. Training: normalises with the batch's own mean and variance, gives them as save_mean
// and save_invstd, and moves the running statistics by `momentum` towards them (the variance
// unbiased). Else as _native_batch_norm_legit_no_training.
Status _native_batch_norm_legit(KernelContext& context, const Tensor& input, const Tensor* weight,
                                const Tensor* bias, Tensor& running_mean, Tensor& running_var,
                                bool training, double momentum, double eps, Tensor& out,
                                Tensor& save_mean, Tensor& save_invstd) {
  if (!training) {
    return batch_norm_with_statistics(context, input, {weight, bias}, running_mean, running_var,
                                      eps, out);
  }
  return batch_norm_of_batch(context, input, {weight, bias}, {&running_mean, &running_var},
                             momentum, eps, out, save_mean, save_invstd);
}

}  // namespace cresset::kernels::portable
