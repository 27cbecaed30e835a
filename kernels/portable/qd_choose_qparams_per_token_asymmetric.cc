// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/choose_qparams.h"
#include "kernels/common/kernel.h"
#include "kernels/common/quantize.h"

namespace cresset::kernels::portable {

// A scale and zero point for each row (last dimension) in 8 bits. Each step is rounded to the
// input's dtype, as PyTorch does.
Status qd_choose_qparams_per_token_asymmetric(KernelContext& context, const Tensor& input, DType,
                                              Tensor& scale, Tensor& zero_point) {
  constexpr int kLow = -128, kHigh = 127;
  return dispatch<float, double, Half, BFloat16>(context, input.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const auto rounded = [](C x) { return convert<C>(convert<T>(x)); };
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
