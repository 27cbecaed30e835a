// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels::portable {

// out = whether any elements along the dimensions are not zero; without dimensions along all, with
// an empty list along none.
Status any_dims(KernelContext& context, const Tensor& self, Optional<IntSpan> dim, bool,
                Tensor& out) {
  const uint32_t mask = dim.has_value() ? mask_of(*dim, self.rank()) : ~0u;
  return reduce_truth(context, self, mask, Truth::kAny, out);
}

}  // namespace cresset::kernels::portable
