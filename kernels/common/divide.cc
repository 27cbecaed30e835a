// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "kernels/common/arithmetic.h"
#include "kernels/common/complex_elementwise.h"

namespace cresset::kernels {

namespace {

template <class F>
Status divide_with(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, F f) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    ZeroDivisor zero;
    const Status status =
        map<C>(context, out, unrounded(a, out.dtype()), a, unrounded(b, out.dtype()), b,
               [&zero, f](C x, C y) { return f(x, zero.check(y)); });
    return zero.finish(context, status);
  });
}

}  // namespace

Status divide_floor(KernelContext& context, const Operand& a, const Operand& b, Tensor& out) {
  return divide_with(context, a, b, out, [](auto x, auto y) { return quotient_floor(x, y); });
}

Status divide(KernelContext& context, const Operand& a, const Operand& b, const char* mode,
              Tensor& out) {
  if (mode == nullptr) {
    if (is_complex(out.dtype())) {
      return complex_divide(context, a, b, out);
    }
    return binary_floating(context, a, b, out, [](auto x, auto y) { return x / y; });
  }
  if (std::strcmp(mode, "floor") == 0) {
    return divide_floor(context, a, b, out);
  }
  if (std::strcmp(mode, "trunc") == 0) {
    return divide_with(context, a, b, out, [](auto x, auto y) { return quotient_trunc(x, y); });
  }
  return context.fail(Status::kInvalidArgument,
                      "rounding_mode is \"{}\", expected none, \"trunc\" or \"floor\"", mode);
}

}  // namespace cresset::kernels
