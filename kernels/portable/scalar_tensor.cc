// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out, of rank 0, = s.
Status scalar_tensor(KernelContext& context, Scalar s, Tensor& out) {
  return fill(context, out, s);
}

}  // namespace cresset::kernels::portable
