// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/range.h"

namespace cresset::kernels::portable {

// out = 0, 1, 2, ... below end.
Status arange(KernelContext& context, Scalar, Tensor& out) {
  return fill_range(context, Scalar::of_int(0), Scalar::of_int(1), out);
}

}  // namespace cresset::kernels::portable
