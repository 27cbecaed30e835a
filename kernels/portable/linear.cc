// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/kernel.h"
#include "kernels/common/loop_nest.h"
#include "kernels/common/matmul.h"

namespace cresset::kernels::portable {

// out = input @ weight.T + bias over the last dimension of input; without weight's first dimension
// out has none either. Integers wrap.
Status linear(KernelContext& context, const Tensor& input, const Tensor& weight, const Tensor* bias,
              Tensor& out) {
  return dispatch_elements(context, input.dtype(), [&](auto e) {
    using E = decltype(e);
    using C = typename E::Compute;
    const size_t depth_dim = input.rank() - 1;
    const bool vector = weight.rank() == 1;
    // All leading dimensions that both tensors walk as one are rows of one product.
    LoopNest<2> nest;
    for (size_t d = 0; d < depth_dim; ++d) {
      nest.push(input.size(d),
                {static_cast<ptrdiff_t>(input.stride(d)), static_cast<ptrdiff_t>(out.stride(d))});
    }
    const ProductSizes sizes{nest.inner_size(), vector ? 1 : weight.size(0), input.size(depth_dim)};
    const Matrix<typename E::In> columns{elements_of<E>(weight), weight.stride(weight.rank() - 1),
                                         vector ? 0 : weight.stride(0)};
    Finish<E> finish;
    if (bias != nullptr) {
      finish.beta = C(1);
      finish.other = {elements_of<E>(*bias), 0, bias->numel() == 1 ? 0 : 1};
    }
    nest.for_each_run([&](const ptrdiff_t* at) {
      const Matrix<typename E::In> rows{elements_of<E>(input) + at[0], nest.inner_stride(0),
                                        input.stride(depth_dim)};
      const Matrix<typename E::Out> result{elements_of<E>(out) + at[1], nest.inner_stride(1),
                                           vector ? 0 : out.stride(depth_dim)};
      context.parallel_for(sizes.rows, product_grain(sizes), [&](int64_t first, int64_t last) {
        multiply_rows(sizes, first, last, rows, columns, finish, result);
      });
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
