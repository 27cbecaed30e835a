// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

Status reduce_variance(KernelContext& context, const Tensor& self, uint32_t mask, double correction,
                       Tensor& variance, Tensor* mean) {
  const Reduction r = plan_reduction(self, mask, Order::kMemory, variance, mean);
  const double count = static_cast<double>(r.count);
  const double divisor = count > correction ? count - correction : 0;
  return dispatch_compute_floating(context, self.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    for_each_result(r, [&](const uint8_t* elements, uint8_t* one, uint8_t* two) {
      Sum<C> sum, squares;
      for_each_chunk<C>(r, elements, [&](const C* x, int64_t n) { sum.add(x, n); });
      const C middle = sum.value() / static_cast<C>(r.count);
      for_each_chunk<C>(r, elements, [&](const C* x, int64_t n) {
        squares.add(x, n, [middle](C v) { return (v - middle) * (v - middle); });
      });
      const C result = squares.value() / static_cast<C>(divisor);
      store_run(variance.dtype(), one, kDTypeOf<C>, &result, 1);
      if (mean != nullptr) {
        store_run(mean->dtype(), two, kDTypeOf<C>, &middle, 1);
      }
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
