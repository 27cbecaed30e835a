// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/range.h"

#include "kernels/common/arithmetic.h"

namespace cresset::kernels {

namespace {

// `T` counts, `C` is what out's elements are computed in.
template <class C, class T>
Status count_up(KernelContext& context, Scalar start, Scalar step, Tensor& out) {
  const T first = start.to<T>();
  const T by = step.to<T>();
  int64_t at = 0;
  return run_elementwise(context, {}, kDTypeOf<C>, out,
                         [&](size_t count, const void* const*, void* result) {
                           C* const r = static_cast<C*>(result);
                           for (size_t i = 0; i < count; ++i, ++at) {
                             r[i] = static_cast<C>(plus(first, times(static_cast<T>(at), by)));
                           }
                         });
}

}  // namespace

Status fill_range(KernelContext& context, Scalar start, Scalar step, Tensor& out) {
  switch (compute_dtype(out.dtype())) {
    case DType::kInt64:
      return count_up<int64_t, int64_t>(context, start, step, out);
    case DType::kFloat32:
      return count_up<float, double>(context, start, step, out);
    case DType::kFloat64:
      return count_up<double, double>(context, start, step, out);
    default:
      return context.fail(Status::kInvalidType, "{} is not supported", out.dtype());
  }
}

}  // namespace cresset::kernels
