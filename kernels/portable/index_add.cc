// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/fill_box.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scatter.h"

namespace cresset::kernels::portable {

// out = self with alpha * source[i] added to the slice at index[i] along a dimension.
Status index_add(KernelContext& context, const Tensor& self, int64_t dim, const Tensor& index,
                 const Tensor& source, Scalar alpha, Tensor& out) {
  const CombineFn add = combine_fn(Combine::kAdd, out.dtype());
  const CombineFn multiply = combine_fn(Combine::kMultiply, out.dtype());
  if (add == nullptr) {
    return context.fail(Status::kInvalidType, "{} is not supported", out.dtype());
  }
  copy_elements(self, out);
  const size_t d = wrapped(dim, self.rank());
  Element factor;
  CRESSET_TRY(encode(context, alpha, out.dtype(), &factor));
  Box places(source);  // the index, the same for all elements of a slice
  for (size_t k = 0; k < places.rank; ++k) {
    places.strides[k] = k == d && index.rank() == 1 ? index.stride(0) : 0;
  }
  uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data());
  const uint8_t* const from = static_cast<const uint8_t*>(source.raw_data());
  return for_each_indexed(context, index, places, d, out, &source,
                          [&](ptrdiff_t out_at, ptrdiff_t source_at) {
                            Element scaled = factor;
                            multiply(scaled.bytes, 0, from + source_at, 0, 1);
                            add(to + out_at, 0, scaled.bytes, 0, 1);
                          });
}

}  // namespace cresset::kernels::portable
