// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/reduce.h"

namespace cresset::kernels {

namespace {

ptrdiff_t byte_stride(const Tensor& tensor, size_t dim) {
  return static_cast<ptrdiff_t>(tensor.stride(dim)) *
         static_cast<ptrdiff_t>(dtype_bytes(tensor.dtype()));
}

}  // namespace

Reduction plan_reduction(const Tensor& self, uint32_t mask, Order order, Tensor& first,
                         Tensor* second) {
  Reduction r;
  r.data = static_cast<const uint8_t*>(self.raw_data());
  r.dtype = self.dtype();
  r.results[0] = static_cast<uint8_t*>(first.mutable_raw_data());
  r.results[1] = second == nullptr ? nullptr : static_cast<uint8_t*>(second->mutable_raw_data());
  const bool keepdim = first.rank() == self.rank();
  size_t at = 0;
  for (size_t d = 0; d < self.rank(); ++d) {
    const bool reduced = (mask >> d & 1u) != 0;
    if (reduced) {
      r.count *= self.size(d);
    } else {
      r.kept.push(self.size(d), {byte_stride(self, d), byte_stride(first, at),
                                 second == nullptr ? 0 : byte_stride(*second, at)});
    }
    at += keepdim || !reduced ? 1 : 0;
  }
  for (size_t i = 0; i < self.rank(); ++i) {
    const size_t d = order == Order::kMemory ? self.dim_order()[i] : i;
    if ((mask >> d & 1u) != 0) {
      r.reduced.push(self.size(d), {byte_stride(self, d)});
    }
  }
  return r;
}

}  // namespace cresset::kernels
