// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/numerics/functions.h"

namespace cresset::kernels::numerics {

Status apply(KernelContext& context, const Tensor& self, Tensor& out, Function1* f) {
  return unary_floating(context, self, out, [f](auto x) { return static_cast<decltype(x)>(f(x)); });
}

Status apply(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out,
             Function2* f) {
  return binary_floating(context, self, other, out,
                         [f](auto x, auto y) { return static_cast<decltype(x)>(f(x, y)); });
}

}  // namespace cresset::kernels::numerics
