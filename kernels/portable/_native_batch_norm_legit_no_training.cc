// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/batch_norm.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = (input - running_mean) / sqrt(running_var + eps) * weight + bias a channel; the statistics
// results are empty.
Status _native_batch_norm_legit_no_training(KernelContext& context, const Tensor& input,
                                            const Tensor* weight, const Tensor* bias,
                                            const Tensor& running_mean, const Tensor& running_var,
                                            double, double eps, Tensor& out, Tensor&, Tensor&) {
  return batch_norm_with_statistics(context, input, {weight, bias}, running_mean, running_var, eps,
                                    out);
}

}  // namespace cresset::kernels::portable
