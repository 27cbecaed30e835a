// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/choose_qparams.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// A scale and zero point for each row (last dimension) in 8 bits. Each step is rounded to the
// input's dtype, as PyTorch does.
Status qd_choose_qparams_per_token_asymmetric(KernelContext& context, const Tensor& input, DType,
                                              Tensor& scale, Tensor& zero_point) {
  constexpr int kLow = -128, kHigh = 127;
  const DType dtype = input.dtype();
  return dispatch_compute_floating(context, dtype, [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const auto rounded = [dtype](C x) {
      if (dtype_bytes(dtype) == 2) {
        uint16_t half;
        store_run(dtype, &half, kDTypeOf<C>, &x, 1);
        load_run(kDTypeOf<C>, &x, dtype, &half, 0, 1);
      }
      return x;
    };
    choose_qparams<C>(input, uint32_t{1} << (input.rank() - 1), scale, zero_point,
                      [&](C low, C high, double* chosen, int64_t* zero) {
                        const C step = std::fmax(rounded(rounded(high - low) / C(kHigh - kLow)),
                                                 rounded(C(1.1920928955078125e-07)));
                        const C below = rounded(low / step), above = rounded(high / step);
                        const C error = rounded(rounded(below + kLow) + rounded(above + kHigh));
                        const C exact = rounded(error > 0 ? kLow - below : kHigh - above);
                        *chosen = static_cast<double>(step);
                        *zero = clamped(std::nearbyint(exact), {kLow, kHigh});
                      });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
