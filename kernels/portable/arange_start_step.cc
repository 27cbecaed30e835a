// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/range.h"

namespace cresset::kernels::portable {

// out = start, start + step, start + 2 * step, ... before end.
Status arange_start_step(KernelContext& context, Scalar start, Scalar, Scalar step, Tensor& out) {
  return fill_range(context, start, step, out);
}

}  // namespace cresset::kernels::portable
