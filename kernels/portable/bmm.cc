// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/matmul.h"

namespace cresset::kernels::portable {

// out[b] = self[b] @ mat2[b]. Integers wrap.
Status bmm(KernelContext& context, const Tensor& self, const Tensor& mat2, Tensor& out) {
  return dispatch_elements(context, self.dtype(), [&](auto e) {
    using E = decltype(e);
    const ProductSizes sizes{self.size(1), mat2.size(2), self.size(2)};
    context.parallel_for(self.size(0), 1 + product_grain(sizes) / (1 + sizes.rows),
                         [&](int64_t first, int64_t last) {
                           for (int64_t b = first; b < last; ++b) {
                             multiply_rows(sizes, 0, sizes.rows,
                                           matrix_of<E>(self, b * self.stride(0)),
                                           matrix_of<E>(mat2, b * mat2.stride(0)), Finish<E>(),
                                           matrix_of<E>(out, b * out.stride(0)));
                           }
                         });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
