// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = the variance along the dimensions, along all where there are none: squared deviations
// divided by their number less `correction` (1 where absent).
Status var_correction(KernelContext& context, const Tensor& self, Optional<IntSpan> dim,
                      Optional<Scalar> correction, bool, Tensor& out) {
  const uint32_t mask = dim.has_value() ? reduced_mask(*dim, self.rank()) : ~0u;
  const double less = correction.has_value() ? correction->to_double() : 1;

  return reduce_variance(context, self, mask, less, out, nullptr);
}

}  // namespace cresset::kernels::portable
