// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/cast.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = src, broadcast to self's shape and converted to its dtype.
Status copy(KernelContext& context, const Tensor&, const Tensor& src, bool, Tensor& out) {
  return cast(context, src, out);
}

}  // namespace cresset::kernels::portable
