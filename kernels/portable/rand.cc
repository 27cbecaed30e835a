// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/random.h"

namespace cresset::kernels::portable {

// Multiples of the dtype's precision at 1, so that no rounding gives 1.
Status rand(KernelContext& context, ops::IntSpan, Tensor& out) {
  return fill_random(context, out, [](Random& random, DType dtype) {
    return random.uniform(dtype == DType::kFloat64    ? 53
                          : dtype == DType::kFloat32  ? 24
                          : dtype == DType::kBFloat16 ? 8
                                                      : 11);
  });
}

}  // namespace cresset::kernels::portable
