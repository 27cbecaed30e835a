// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "core/kernel_context.h"
#include "kernels/common/dynamic_quantization.h"
#include "kernels/common/kernel.h"
#include "kernels/common/loop_nest.h"
#include "kernels/common/packed_weight.h"

namespace cresset::kernels::portable {

namespace {

constexpr int64_t kRows = 4, kLanes = 16, kDepth = 64;

// Rows of x, each with its scale, times a block of the weights' rows.
struct Block {
  const PackedWeight& weight;
  const float* x;
  int64_t x_step, x_row, rows;
  DynamicScale scales[kRows];
  float sums[kRows][kLanes];

  void multiply(int64_t first_lane, int64_t lanes) {
    int32_t products[kRows][kLanes] = {};
    std::memset(sums, 0, sizeof sums);
    weight.for_each_piece(kDepth, [&](int64_t group, int64_t first, int64_t count, bool last) {
      int16_t q[kRows][kDepth], w[kDepth];
      for (int64_t r = 0; r < rows; ++r) {
        scales[r].quantize(x + r * x_row + first * x_step, x_step, count, q[r]);
      }
      for (int64_t lane = 0; lane < lanes; ++lane) {
        weight.load(first_lane + lane, first, count, group, w);
        const float unit = weight.scale(first_lane + lane, group);
        for (int64_t r = 0; r < rows; ++r) {
          int32_t sum = 0;
          for (int64_t k = 0; k < count; ++k) {
            sum += q[r][k] * w[k];
          }
          const uint32_t all =
              static_cast<uint32_t>(products[r][lane]) + static_cast<uint32_t>(sum);
          products[r][lane] = static_cast<int32_t>(all);
          if (last) {
            sums[r][lane] += static_cast<float>(products[r][lane]) * unit;
            products[r][lane] = 0;
          }
        }
      }
    });
  }
};

}  // namespace

// Integers of x times integers of the weights, summed by group.
Status qlinear_dynamic(KernelContext& context, const Tensor& x, const Tensor& weight,
                       const Tensor& scale, const Tensor* zero, const Tensor* bias, int64_t bits,
                       int64_t group_size, const char* per, bool symmetric, int64_t x_min,
                       int64_t x_max, double eps, Tensor& out) {
  const bool by_tensor = std::strcmp(per, "tensor") == 0;
  const bool in_double = std::strcmp(per, "token_float64") == 0;
  if (!by_tensor && !in_double && std::strcmp(per, "token") != 0) {
    return context.fail(Status::kInvalidArgument,
                        "per is \"{}\", expected \"tensor\", \"token\" or \"token_float64\"", per);
  }
  const size_t last = x.rank() - 1;
  const int64_t columns = x.size(last), x_step = x.stride(last);
  const int64_t count = weight.size(0), out_step = out.stride(last);
  const PackedWeight factors(weight, scale, zero, columns, bits, group_size);
  const DynamicRule rule{symmetric, in_double, static_cast<float>(x_min), static_cast<float>(x_max),
                         static_cast<float>(eps)};
  LoopNest<2> nest;
  for (size_t d = 0; d < last; ++d) {
    nest.push(x.size(d),
              {static_cast<ptrdiff_t>(x.stride(d)), static_cast<ptrdiff_t>(out.stride(d))});
  }
  const int64_t x_row = nest.inner_stride(0), out_row = nest.inner_stride(1);
  Extremes all;
  if (by_tensor) {
    nest.for_each_run([&](const ptrdiff_t* offsets) {
      for (int64_t r = 0; r < nest.inner_size(); ++r) {
        all.add(x.data<float>() + offsets[0] + r * x_row, x_step, columns);
      }
    });
  }
  const float* const added = bias == nullptr ? nullptr : bias->data<float>();
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t from = 0; from < nest.inner_size(); from += kRows) {
      const DynamicScale none(rule, all);
      const float* const rows_x = x.data<float>() + offsets[0] + from * x_row;
      float* const to = out.mutable_data<float>() + offsets[1] + from * out_row;
      const int64_t left = nest.inner_size() - from, rows = left < kRows ? left : kRows;
      DynamicScale scales[kRows] = {none, none, none, none};
      for (int64_t r = 0; r < rows && !by_tensor; ++r) {
        Extremes extremes;
        extremes.add(rows_x + r * x_row, x_step, columns);
        scales[r] = DynamicScale(rule, extremes);
      }
      context.parallel_for((count + kLanes - 1) / kLanes, 4, [&](int64_t begin, int64_t end) {
        Block block{
            factors, rows_x, x_step, x_row, rows, {scales[0], scales[1], scales[2], scales[3]}, {}};
        for (int64_t b = begin; b < end; ++b) {
          const int64_t first = b * kLanes;
          const int64_t lanes = count - first < kLanes ? count - first : kLanes;
          block.multiply(first, lanes);
          for (int64_t r = 0; r < rows; ++r) {
            for (int64_t lane = 0; lane < lanes; ++lane) {
              const float y = block.sums[r][lane] * scales[r].scale;
              to[r * out_row + (first + lane) * out_step] =
                  added == nullptr ? y : y + added[first + lane];
            }
          }
        }
      });
    }
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
