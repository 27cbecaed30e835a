// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = fill_value everywhere.
Status full(KernelContext& context, ops::IntSpan, Scalar fill_value, Tensor& out) {
  return fill(context, out, fill_value);
}

}  // namespace cresset::kernels::portable
