// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/random.h"

namespace cresset::kernels::portable {

Status randn(KernelContext& context, ops::IntSpan, Tensor& out) {
  return fill_random(context, out, [](Random& random, DType) { return random.normal(); });
}

}  // namespace cresset::kernels::portable
