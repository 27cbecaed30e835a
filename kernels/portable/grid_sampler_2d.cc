// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elements.h"
#include "kernels/common/grid_sample.h"
#include "kernels/common/kernel.h"
#include "kernels/common/spatial.h"

namespace cresset::kernels::portable {

// out[n, c, h, w] = input[n, c] at the place (x, y) = grid[n, h, w], -1 and 1 being the image's
// borders. interpolation_mode: 0 bilinear, 1 nearest, 2 bicubic; padding_mode: 0 zeros, 1 border,
// 2 reflection.
Status grid_sampler_2d(KernelContext& context, const Tensor& input, const Tensor& grid,
                       int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
                       Tensor& out) {
  if (interpolation_mode < 0 || interpolation_mode > 2) {
    return context.fail(Status::kInvalidArgument, "interpolation_mode must be 0 to 2, got {}",
                        interpolation_mode);
  }
  if (padding_mode < 0 || padding_mode > 2) {
    return context.fail(Status::kInvalidArgument, "padding_mode must be 0 to 2, got {}",
                        padding_mode);
  }
  constexpr Filter kFilters[] = {Filter::kLinear, Filter::kNearest, Filter::kCubic};
  const Filter filter = kFilters[interpolation_mode];
  const GridPadding padding = static_cast<GridPadding>(padding_mode);
  const GridAxis rows = {input.size(2), padding, align_corners};
  const GridAxis columns = {input.size(3), padding, align_corners};
  const Volume in(input, 2), to(out, 2);
  return dispatch_float_elements(context, input.dtype(), [&](auto e) {
    using E = decltype(e);
    using C = typename E::Compute;
    const auto image = elements_of<E>(input);
    const auto places = elements_of<E>(grid);
    const auto result = elements_of<E>(out);
    const auto round = [&](C value) -> C {
      switch (grid.dtype()) {
        case DType::kFloat16:
          return static_cast<C>(Half(static_cast<float>(value)));
        case DType::kBFloat16:
          return static_cast<C>(BFloat16(static_cast<float>(value)));
        default:
          return value;
      }
    };
    const auto sample = [&](int64_t n, int64_t h, int64_t w) {
      const int64_t at = n * grid.stride(0) + h * grid.stride(1) + w * grid.stride(2);
      const Taps<C> x = grid_taps(columns, filter, places[at], round);
      const Taps<C> y = grid_taps(rows, filter, places[at + grid.stride(3)], round);
      for (int64_t c = 0; c < in.channels; ++c) {
        const auto plane = image + (n * in.batch_stride + c * in.channel_stride);
        C sum = 0;
        for (int r = 0; r < y.count; ++r) {
          for (int k = 0; k < x.count; ++k) {
            if (y.at[r] >= 0 && x.at[k] >= 0) {
              sum += y.weight[r] * x.weight[k] *
                     plane[y.at[r] * in.stride[1] + x.at[k] * in.stride[2]];
            }
          }
        }
        store(result, to.offset({n, c, {0, h, w}}), sum);
      }
    };
    for (int64_t n = 0; n < to.batch; ++n) {
      for (int64_t h = 0; h < to.size[1]; ++h) {
        for (int64_t w = 0; w < to.size[2]; ++w) {
          sample(n, h, w);
        }
      }
    }
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
