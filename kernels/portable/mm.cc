// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/matmul.h"

namespace cresset::kernels::portable {

// out = self @ mat2. Integers wrap.
Status mm(KernelContext& context, const Tensor& self, const Tensor& mat2, Tensor& out) {
  return dispatch_elements(context, self.dtype(), [&](auto e) {
    using E = decltype(e);
    const ProductSizes sizes{self.size(0), mat2.size(1), self.size(1)};
    context.parallel_for(sizes.rows, product_grain(sizes), [&](int64_t first, int64_t last) {
      multiply_rows(sizes, first, last, matrix_of<E>(self, 0), matrix_of<E>(mat2, 0), Finish<E>(),
                    matrix_of<E>(out, 0));
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
