// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill.h"

#include "kernels/common/complex_elementwise.h"
#include "kernels/common/elementwise.h"

namespace cresset::kernels {

Status fill(KernelContext& context, Tensor& out, Scalar value) {
  if (is_complex(out.dtype())) {
    return complex_add(context, value, Scalar::of_int(0), 1, out);
  }
  if (out.dtype() == DType::kBool) {  // any number but 0 is true, 0.5 as well
    value = Scalar::of_bool(value.to_bool());
  }
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    return map<C>(context, out, kDTypeOf<C>, value, [](C x) { return x; });
  });
}

Status read_number(KernelContext& context, const Tensor& tensor, Scalar* number) {
  if (tensor.numel() != 1) {
    return context.fail(Status::kInvalidArgument, "a tensor of shape {} has no single element",
                        tensor.sizes());
  }
  const DType compute = compute_dtype(tensor.dtype());
  if (compute == DType::kInt64) {
    int64_t value;
    load_run(compute, &value, tensor.dtype(), tensor.raw_data(), 0, 1);
    *number = tensor.dtype() == DType::kBool ? Scalar::of_bool(value != 0) : Scalar::of_int(value);
  } else if (is_floating(tensor.dtype())) {
    double value;
    load_run(DType::kFloat64, &value, tensor.dtype(), tensor.raw_data(), 0, 1);
    *number = Scalar::of_double(value);
  } else {
    return context.fail(Status::kInvalidType, "{} is not supported", tensor.dtype());
  }
  return Status::kOk;
}

}  // namespace cresset::kernels
