// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = 0 everywhere.
Status zeros(KernelContext& context, ops::IntSpan, Tensor& out) {
  return fill(context, out, Scalar::of_int(0));
}

}  // namespace cresset::kernels::portable
