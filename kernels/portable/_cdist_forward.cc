// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/distance.h"
#include "kernels/common/kernel.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels::portable {

namespace {

// Elements between neighbours of an output dimension in an input, which broadcasts to it.
ptrdiff_t broadcast_stride(const Tensor& tensor, size_t dim, size_t out_rank) {
  if (dim + tensor.rank() < out_rank) {
    return 0;
  }
  const size_t d = dim + tensor.rank() - out_rank;
  return tensor.size(d) == 1 ? 0 : static_cast<ptrdiff_t>(tensor.stride(d));
}

}  // namespace

// out[..., i, j] = p-norm of x1[..., i, :] - x2[..., j, :]; leading dimensions broadcast.
Status _cdist_forward(KernelContext& context, const Tensor& x1, const Tensor& x2, double p,
                      Optional<int64_t>, Tensor& out) {
  const size_t rank = out.rank(), r1 = x1.rank(), r2 = x2.rank();
  LoopNest<3> batches;
  for (size_t d = 0; d + 2 < rank; ++d) {
    batches.push(out.size(d), {broadcast_stride(x1, d, rank), broadcast_stride(x2, d, rank),
                               static_cast<ptrdiff_t>(out.stride(d))});
  }
  return dispatch_float_elements(context, x1.dtype(), [&](auto e) {
    using E = decltype(e);
    const auto a = elements_of<E>(x1);
    const auto b = elements_of<E>(x2);
    const auto to = elements_of<E>(out);
    batches.for_each_run([&](const ptrdiff_t* at) {
      for (int64_t n = 0; n < batches.inner_size(); ++n) {
        const auto first = a + (at[0] + n * batches.inner_stride(0));
        const auto second = b + (at[1] + n * batches.inner_stride(1));
        const auto result = to + (at[2] + n * batches.inner_stride(2));
        for (int64_t i = 0; i < x1.size(r1 - 2); ++i) {
          for (int64_t j = 0; j < x2.size(r2 - 2); ++j) {
            store(result, i * out.stride(rank - 2) + j * out.stride(rank - 1),
                  distance<E>({first + i * x1.stride(r1 - 2), x1.stride(r1 - 1)},
                              {second + j * x2.stride(r2 - 2), x2.stride(r2 - 1)}, x1.size(r1 - 1),
                              p));
          }
        }
      }
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
