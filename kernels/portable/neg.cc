// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <type_traits>

#include "kernels/common/arithmetic.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = -self. Not for bools.
Status neg(KernelContext& context, const Tensor& self, Tensor& out) {
  if (self.dtype() == DType::kBool) {
    return context.fail(Status::kInvalidType, "a bool has no negative; use logical_not");
  }
  return unary(context, self, out, [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>) {
      return minus<int64_t>(0, x);
    } else {
      return -x;
    }
  });
}

}  // namespace cresset::kernels::portable
