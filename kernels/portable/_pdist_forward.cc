// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/distance.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = p-norm of self[i] - self[j] for all i < j, row by row.
Status _pdist_forward(KernelContext& context, const Tensor& self, double p, Tensor& out) {
  return dispatch_float_elements(context, self.dtype(), [&](auto e) {
    using E = decltype(e);
    const auto from = elements_of<E>(self);
    const auto to = elements_of<E>(out);
    int64_t at = 0;
    for (int64_t i = 0; i < self.size(0); ++i) {
      for (int64_t j = i + 1; j < self.size(0); ++j) {
        store(to, at++,
              distance<E>({from + i * self.stride(0), self.stride(1)},
                          {from + j * self.stride(0), self.stride(1)}, self.size(1), p));
      }
    }
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
