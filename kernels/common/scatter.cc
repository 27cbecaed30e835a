// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/scatter.h"

namespace cresset::kernels {

Status scatter_into(KernelContext& context, Tensor& out, size_t dim, const Tensor& index,
                    const Tensor& src, Combine combine) {
  const CombineFn merge = combine_fn(combine, out.dtype());
  if (merge == nullptr) {
    return context.fail(Status::kInvalidType, "{} is not supported", out.dtype());
  }
  uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data());
  const uint8_t* const from = static_cast<const uint8_t*>(src.raw_data());
  return for_each_indexed(context, index, dim, out, &src, [&](ptrdiff_t out_at, ptrdiff_t src_at) {
    merge(to + out_at, 0, from + src_at, 0, 1);
  });
}

}  // namespace cresset::kernels
