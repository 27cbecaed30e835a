// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/batch_norm.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// Batch norm with the batch's own mean and variance, which are results too.
Status _native_batch_norm_legit_no_stats(KernelContext& context, const Tensor& input,
                                         const Tensor* weight, const Tensor* bias, bool, double,
                                         double eps, Tensor& out, Tensor& save_mean,
                                         Tensor& save_invstd) {
  return batch_norm_of_batch(context, input, {weight, bias}, {nullptr, nullptr}, 0, eps, out,
                             save_mean, save_invstd);
}

}  // namespace cresset::kernels::portable
