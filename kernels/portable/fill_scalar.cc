// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = value, in self's shape and dtype.
Status fill_scalar(KernelContext& context, const Tensor&, Scalar value, Tensor& out) {
  return fill(context, out, value);
}

}  // namespace cresset::kernels::portable
