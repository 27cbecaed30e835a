// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/fill_box.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scatter.h"

namespace cresset::kernels::portable {

// out = self with out[index[i][j]][j] = value for dim 0, and so on.
Status scatter_value(KernelContext& context, const Tensor& self, int64_t dim, const Tensor& index,
                     Scalar value, Tensor& out) {
  copy_elements(self, out);
  Element element;
  CRESSET_TRY(encode(context, value, out.dtype(), &element));
  const CombineFn copy = combine_fn(Combine::kReplace, out.dtype());
  uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data());
  return for_each_indexed(
      context, index, wrapped(dim, self.rank()), out, nullptr,
      [&](ptrdiff_t out_at, ptrdiff_t) { copy(to + out_at, 0, element.bytes, 0, 1); });
}

}  // namespace cresset::kernels::portable
