// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/matmul.h"

namespace cresset::kernels::portable {

// out = beta * self + alpha * (mat1 @ mat2); self broadcasts to the product, and is not read where
// beta is 0. Integers wrap.
Status addmm(KernelContext& context, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
             Scalar beta, Scalar alpha, Tensor& out) {
  return dispatch_elements(context, mat1.dtype(), [&](auto e) {
    using E = decltype(e);
    using C = typename E::Compute;
    int64_t strides[2] = {0, 0};
    for (size_t d = 0; d < self.rank(); ++d) {
      strides[2 - self.rank() + d] = self.size(d) == 1 ? 0 : self.stride(d);
    }
    const Finish<E> finish{
        alpha.to<C>(), beta.to<C>(), {elements_of<E>(self), strides[0], strides[1]}};
    const ProductSizes sizes{mat1.size(0), mat2.size(1), mat1.size(1)};
    context.parallel_for(sizes.rows, product_grain(sizes), [&](int64_t first, int64_t last) {
      multiply_rows(sizes, first, last, matrix_of<E>(mat1, 0), matrix_of<E>(mat2, 0), finish,
                    matrix_of<E>(out, 0));
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
