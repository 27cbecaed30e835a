// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/bitwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the bits of self inverted; bools negated. Integers and bools.
Status bitwise_not(KernelContext& context, const Tensor& self, Tensor& out) {
  if (out.dtype() == DType::kBool) {
    return map<bool>(context, out, DType::kBool, self, [](bool x) { return !x; });
  }
  return bitwise(context, self, self, out, [](int64_t x, int64_t) { return ~x; });
}

}  // namespace cresset::kernels::portable
