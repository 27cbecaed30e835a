// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/activation.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = self within [min, max]; max where they cross, NaN where any is NaN. One bound may be
// absent.
Status clamp_tensor(KernelContext& context, const Tensor& self, const Tensor* min,
                    const Tensor* max, Tensor& out) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    if (!min) {
      return map<C>(context, out, out.dtype(), self, out.dtype(), *max,
                    [](C x, C high) { return smaller_of(x, high); });
    }
    if (!max) {
      return map<C>(context, out, out.dtype(), self, out.dtype(), *min,
                    [](C x, C low) { return greater_of(x, low); });
    }
    const Source sources[] = {{self, kDTypeOf<C>, out.dtype()},
                              {*min, kDTypeOf<C>, out.dtype()},
                              {*max, kDTypeOf<C>, out.dtype()}};
    return run_elementwise(context, sources, kDTypeOf<C>, out,
                           [](size_t count, const void* const* in, void* result) {
                             const C* const x = static_cast<const C*>(in[0]);
                             const C* const low = static_cast<const C*>(in[1]);
                             const C* const high = static_cast<const C*>(in[2]);
                             C* const r = static_cast<C*>(result);
                             for (size_t i = 0; i < count; ++i) {
                               r[i] = clamp_of(x[i], low[i], high[i]);
                             }
                           });
  });
}

}  // namespace cresset::kernels::portable
