// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/arithmetic.h"
#include "kernels/common/complex_elementwise.h"

namespace cresset::kernels {

Status check_alpha(KernelContext& context, Scalar alpha, DType dtype) {
  const bool fits = alpha.kind() == Scalar::Kind::kBool     ? dtype == DType::kBool
                    : alpha.kind() == Scalar::Kind::kInt    ? true
                    : alpha.kind() == Scalar::Kind::kDouble ? !is_integral(dtype)
                                                            : false;
  if (!fits) {
    return context.fail(Status::kInvalidArgument, "alpha {} does not fit elements of {}",
                        alpha.to_double(), dtype);
  }
  return Status::kOk;
}

Status add_scaled(KernelContext& context, const Operand& a, const Operand& b, Scalar alpha,
                  Tensor& out) {
  CRESSET_TRY(check_alpha(context, alpha, out.dtype()));
  if (is_complex(out.dtype())) {
    return complex_add(context, a, b, alpha.to_double(), out);
  }
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const DType common_a = unrounded(a, out.dtype());
    const DType common_b = unrounded(b, out.dtype());
    const C factor = alpha.to<C>();
    if (factor == 1) {
      return map<C>(context, out, common_a, a, common_b, b, [](C x, C y) { return plus(x, y); });
    }
    return map<C>(context, out, common_a, a, common_b, b,
                  [factor](C x, C y) { return plus<C>(x, times<C>(factor, y)); });
  });
}

Status subtract_scaled(KernelContext& context, const Operand& a, const Operand& b, Scalar alpha,
                       Tensor& out) {
  if (out.dtype() == DType::kBool) {
    return context.fail(Status::kInvalidType, "bools cannot be subtracted");
  }
  CRESSET_TRY(check_alpha(context, alpha, out.dtype()));
  const Scalar negated = alpha.is_double() ? Scalar::of_double(-alpha.to_double())
                                           : Scalar::of_int(minus<int64_t>(0, alpha.to_int()));
  return add_scaled(context, a, b, negated, out);
}

}  // namespace cresset::kernels
