// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// As var_correction; mean = what the deviations are from.
Status var_mean_correction(KernelContext& context, const Tensor& self, Optional<IntSpan> dim,
                           Optional<Scalar> correction, bool, Tensor& variance, Tensor& mean) {
  const uint32_t mask = dim.has_value() ? reduced_mask(*dim, self.rank()) : ~0u;
  const double less = correction.has_value() ? correction->to_double() : 1;

  return reduce_variance(context, self, mask, less, variance, &mean);
}

}  // namespace cresset::kernels::portable
