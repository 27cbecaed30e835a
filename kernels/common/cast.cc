// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/cast.h"

#include "kernels/common/complex_elementwise.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels {

namespace {

void copy_broadcast(const Tensor& from, Tensor& out) {
  if (equal(from.sizes(), out.sizes())) {
    return copy_elements(from, out);
  }
  const Operand operand(from);
  const int64_t width = static_cast<int64_t>(dtype_bytes(out.dtype()));
  Box box(out);
  for (size_t d = 0; d < box.rank; ++d) {
    box.strides[d] = operand.stride_bytes(d, box.rank) / width;
  }
  copy_box(out.mutable_raw_data(), Box(out), from.raw_data(), box, static_cast<size_t>(width));
}

}  // namespace

Status cast(KernelContext& context, const Tensor& from, Tensor& out) {
  if (from.dtype() == out.dtype()) {
    copy_broadcast(from, out);
    return Status::kOk;
  }
  if (is_complex(out.dtype())) {
    return complex_add(context, from, Scalar::of_int(0), 1, out);
  }
  if (out.dtype() == DType::kBool) {
    return map<bool>(context, out, DType::kBool, from, [](bool x) { return x; });
  }
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    return map<C>(context, out, kDTypeOf<C>, from, [](C x) { return x; });
  });
}

}  // namespace cresset::kernels
