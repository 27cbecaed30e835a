// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/kernel_context.h"
#include "kernels/common/kernel.h"
#include "kernels/common/loop_nest.h"
#include "kernels/common/packed_weight.h"

namespace cresset::kernels::portable {

namespace {

constexpr int64_t kRows = 8, kDepth = 64, kLanes = 8;

// Eight sums side by side, then one.
float dot(const float* x, int64_t step, const float* w, int64_t count) {
  float sums[kLanes] = {};
  int64_t k = 0;
  if (step == 1) {
    for (; k + kLanes <= count; k += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        sums[lane] += x[k + lane] * w[k + lane];
      }
    }
  }
  for (; k < count; ++k) {
    sums[k % kLanes] += x[k * step] * w[k];
  }
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

}  // namespace

// Sums of x times the integers of a group, times the group's scale.
Status qlinear_weight(KernelContext& context, const Tensor& x, const Tensor& weight,
                      const Tensor& scale, const Tensor* zero, const Tensor* bias, int64_t bits,
                      int64_t group_size, Tensor& out) {
  const size_t last = x.rank() - 1;
  const int64_t x_step = x.stride(last), out_step = out.stride(last);
  const PackedWeight factors(weight, scale, zero, x.size(last), bits, group_size);
  LoopNest<2> nest;
  for (size_t d = 0; d < last; ++d) {
    nest.push(x.size(d),
              {static_cast<ptrdiff_t>(x.stride(d)), static_cast<ptrdiff_t>(out.stride(d))});
  }
  const int64_t x_row = nest.inner_stride(0), out_row = nest.inner_stride(1);
  const float* const added = bias == nullptr ? nullptr : bias->data<float>();
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t from = 0; from < nest.inner_size(); from += kRows) {
      const float* const rows_x = x.data<float>() + offsets[0] + from * x_row;
      float* const to = out.mutable_data<float>() + offsets[1] + from * out_row;
      const int64_t left = nest.inner_size() - from, rows = left < kRows ? left : kRows;
      context.parallel_for(weight.size(0), 32, [&](int64_t begin, int64_t end) {
        for (int64_t column = begin; column < end; ++column) {
          float sums[kRows] = {};
          factors.for_each_piece(kDepth, [&](int64_t group, int64_t first, int64_t count, bool) {
            int16_t integers[kDepth];
            float w[kDepth];
            factors.load(column, first, count, group, integers);
            for (int64_t k = 0; k < count; ++k) {
              w[k] = static_cast<float>(integers[k]);
            }
            const float unit = factors.scale(column, group);
            for (int64_t r = 0; r < rows; ++r) {
              sums[r] += dot(rows_x + r * x_row + first * x_step, x_step, w, count) * unit;
            }
          });
          for (int64_t r = 0; r < rows; ++r) {
            to[r * out_row + column * out_step] =
                added == nullptr ? sums[r] : sums[r] + added[column];
          }
        }
      });
    }
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
