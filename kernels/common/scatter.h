// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"
#include "kernels/common/combine.h"
#include "kernels/common/loop_nest.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels {

// For every element of `index` (int64 or int32), in row-major order, f(at base, at other): bytes
// from the data of `base`, at the element's place but with its
// value as index in `dim`, and from that of `other`, at its place. `other` may be null. Fails
// where a value is not in [0, base.size(dim)). `view` shows the index in other sizes and strides.
template <class F>
Status for_each_indexed(KernelContext& context, const Tensor& index, const Box& view, size_t dim,
                        const Tensor& base, const Tensor* other, F&& f) {
  const auto bytes = [](const Tensor& tensor, size_t d) {
    return static_cast<ptrdiff_t>(tensor.stride(d)) *
           static_cast<ptrdiff_t>(dtype_bytes(tensor.dtype()));
  };
  const ptrdiff_t index_bytes = static_cast<ptrdiff_t>(dtype_bytes(index.dtype()));
  LoopNest<3> nest;
  for (size_t d = 0; d < view.rank; ++d) {
    nest.push(view.sizes[d], {static_cast<ptrdiff_t>(view.strides[d]) * index_bytes,
                              d == dim || d >= base.rank() ? 0 : bytes(base, d),
                              other == nullptr || d >= other->rank() ? 0 : bytes(*other, d)});
  }
  const int64_t size = base.rank() == 0 ? 1 : base.size(dim);
  const ptrdiff_t step = base.rank() == 0 ? 0 : bytes(base, dim);
  const bool wide = index.dtype() == DType::kInt64;
  const uint8_t* const data = static_cast<const uint8_t*>(index.raw_data());
  Status status = Status::kOk;
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < nest.inner_size() && ok(status); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const uint8_t* const place = data + offsets[0] + at * nest.inner_stride(0);
      const int64_t value = wide ? *reinterpret_cast<const int64_t*>(place)
                                 : *reinterpret_cast<const int32_t*>(place);
      if (value < 0 || value >= size) {
        status = context.fail(Status::kInvalidArgument, "index {} is out of range [0, {}]", value,
                              size - 1);
        return;
      }
      f(offsets[1] + at * nest.inner_stride(1) + static_cast<ptrdiff_t>(value) * step,
        offsets[2] + at * nest.inner_stride(2));
    }
  });
  return status;
}

template <class F>
Status for_each_indexed(KernelContext& context, const Tensor& index, size_t dim, const Tensor& base,
                        const Tensor* other, F&& f) {
  return for_each_indexed(context, index, Box(index), dim, base, other, f);
}

// out[.., index, ..] = src, or combined with it, in order; out holds self.
Status scatter_into(KernelContext& context, Tensor& out, size_t dim, const Tensor& index,
                    const Tensor& src, Combine combine);

}  // namespace cresset::kernels
