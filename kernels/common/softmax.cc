// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/softmax.h"

#include <cmath>
#include <type_traits>

#include "kernels/common/elements.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

namespace {

struct Line {
  int64_t count, in_step, out_step;
};

template <class E>
void softmax_line(const Line& line, typename E::In in, bool logarithm, typename E::Out out) {
  using C = typename E::Compute;
  C highest = line.count > 0 ? in[0] : C(0);
  for (int64_t i = 1; i < line.count; ++i) {
    const C x = in[i * line.in_step];
    highest = x > highest || x != x ? x : highest;
  }
  C sum = 0;
  for (int64_t i = 0; i < line.count; ++i) {
    sum += std::exp(in[i * line.in_step] - highest);
  }
  if (logarithm) {
    const C shift = std::log(sum);
    for (int64_t i = 0; i < line.count; ++i) {
      store(out, i * line.out_step, in[i * line.in_step] - highest - shift);
    }
    return;
  }
  const C scale = C(1) / sum;
  for (int64_t i = 0; i < line.count; ++i) {
    store(out, i * line.out_step, std::exp(in[i * line.in_step] - highest) * scale);
  }
}

// exp() once an element, where the output holds it without rounding.
void softmax_line(const Line& line, const float* in, float* out) {
  float highest = line.count > 0 ? in[0] : 0;
  for (int64_t i = 1; i < line.count; ++i) {
    const float x = in[i * line.in_step];
    highest = x > highest || x != x ? x : highest;
  }
  float sum = 0;
  for (int64_t i = 0; i < line.count; ++i) {
    const float power = std::exp(in[i * line.in_step] - highest);
    out[i * line.out_step] = power;
    sum += power;
  }
  const float scale = 1 / sum;
  for (int64_t i = 0; i < line.count; ++i) {
    out[i * line.out_step] *= scale;
  }
}

}  // namespace

Status softmax(KernelContext& context, const Tensor& self, int64_t dim, bool logarithm,
               Tensor& out) {
  const size_t at = static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(self.rank()) : dim);
  Line line = {1, 0, 0};
  LoopNest<2> lines;
  for (const uint8_t d : out.dim_order()) {
    const ptrdiff_t in_step = static_cast<ptrdiff_t>(self.stride(d));
    const ptrdiff_t out_step = static_cast<ptrdiff_t>(out.stride(d));
    if (d == at) {
      line = {self.size(d), in_step, out_step};
    } else {
      lines.push(self.size(d), {in_step, out_step});
    }
  }
  return dispatch_float_elements(context, self.dtype(), [&](auto e) {
    using E = decltype(e);
    const auto in = elements_of<E>(self);
    const auto to = elements_of<E>(out);
    lines.for_each_run([&](const ptrdiff_t* from) {
      for (int64_t i = 0; i < lines.inner_size(); ++i) {
        const auto in_line = in + (from[0] + i * lines.inner_stride(0));
        const auto out_line = to + (from[1] + i * lines.inner_stride(1));
        if constexpr (std::is_same_v<E, Float32>) {
          if (!logarithm) {
            softmax_line(line, in_line, out_line);
            continue;
          }
        }
        softmax_line<E>(line, in_line, logarithm, out_line);
      }
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
