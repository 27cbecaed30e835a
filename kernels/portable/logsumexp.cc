// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "kernels/common/dims.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reduce.h"

namespace cresset::kernels::portable {

// out = log(sum(exp(self))) along the dimensions, along all where the list is empty, without
// overflow.
Status logsumexp(KernelContext& context, const Tensor& self, IntSpan dim, bool, Tensor& out) {
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  const Reduction r = plan_reduction(self, reduced_mask(dim, self.rank()), Order::kMemory, out);
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    for_each_result(r, [&](const uint8_t* elements, uint8_t* result, uint8_t*) {
      C greatest = -std::numeric_limits<C>::infinity();
      for_each_chunk<C>(r, elements, [&](const C* x, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
          greatest = x[i] > greatest ? x[i] : greatest;
        }
      });
      const C shift = std::isinf(greatest) ? C(0) : greatest;
      Sum<C> sum;
      for_each_chunk<C>(r, elements, [&](const C* x, int64_t count) {
        sum.add(x, count, [shift](C v) { return std::exp(v - shift); });
      });
      const C value = std::log(sum.value()) + shift;
      store_run(out.dtype(), result, kDTypeOf<C>, &value, 1);
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
