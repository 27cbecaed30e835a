// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "backends/example/runtime/loops.h"

namespace cresset::backends::example {

namespace {

int32_t size_from_end(const View& view, uint32_t d) {
  return d < view.rank ? view.sizes[view.rank - 1 - d] : 1;
}

bool infer_broadcast(const View& a, const View& b, View* out) {
  out->rank = a.rank > b.rank ? a.rank : b.rank;
  for (uint32_t d = 0; d < out->rank; ++d) {
    const int32_t x = size_from_end(a, d);
    const int32_t y = size_from_end(b, d);
    if (x != y && x != 1 && y != 1) {
      return false;
    }
    out->sizes[out->rank - 1 - d] = x == 1 ? y : x;
  }
  return true;
}

bool infer_linear(const View& x, const View& weight, const View* bias, View* out) {
  if (x.rank < 1 || weight.rank != 2 || x.sizes[x.rank - 1] != weight.sizes[1] ||
      (bias != nullptr &&
       (bias->rank != 1 || (bias->sizes[0] != weight.sizes[0] && bias->sizes[0] != 1)))) {
    return false;
  }
  out->rank = x.rank;
  for (uint32_t d = 0; d < x.rank; ++d) {
    out->sizes[d] = x.sizes[d];
  }
  out->sizes[x.rank - 1] = weight.sizes[0];
  return true;
}

bool infer_conv2d(const NodeRecord& node, const View& x, const View& weight, const View* bias,
                  View* out) {
  if (x.rank != 4 || weight.rank != 4 || node.groups < 1 || weight.sizes[0] % node.groups != 0 ||
      x.sizes[1] != weight.sizes[1] * int64_t{node.groups} ||
      (bias != nullptr && (bias->rank != 1 || bias->sizes[0] != weight.sizes[0]))) {
    return false;
  }
  out->rank = 4;
  out->sizes[0] = x.sizes[0];
  out->sizes[1] = weight.sizes[0];
  for (int d = 0; d < 2; ++d) {
    const int64_t room = x.sizes[2 + d] + int64_t{2} * node.padding[d] - weight.sizes[2 + d];
    if (node.stride[d] < 1 || node.padding[d] < 0 || room < 0 || room >= INT32_MAX) {
      return false;
    }
    out->sizes[2 + d] = static_cast<int32_t>(room / node.stride[d]) + 1;
  }
  return true;
}

// Elements between neighbours along each dimension of `out`; 0 where `view` has only one.
void broadcast_strides(const View& view, const View& out, int64_t strides[kRank]) {
  int64_t stride = 1;
  for (uint32_t d = 0; d < out.rank; ++d) {
    const int32_t size = size_from_end(view, d);
    strides[out.rank - 1 - d] = size == 1 ? 0 : stride;
    stride *= size;
  }
}

template <class F>
void combine(const View& a, const View& b, const View& out, F f) {
  int64_t a_strides[kRank], b_strides[kRank];
  broadcast_strides(a, out, a_strides);
  broadcast_strides(b, out, b_strides);
  const int64_t count = out.numel();
  int32_t index[kRank] = {};
  int64_t a_at = 0, b_at = 0;
  for (int64_t i = 0; i < count; ++i) {
    out.data[i] = f(a.data[a_at], b.data[b_at]);
    for (uint32_t d = out.rank; d-- > 0;) {
      a_at += a_strides[d];
      b_at += b_strides[d];
      if (++index[d] < out.sizes[d]) {
        break;
      }
      a_at -= a_strides[d] * out.sizes[d];
      b_at -= b_strides[d] * out.sizes[d];
      index[d] = 0;
    }
  }
}

template <class F>
void for_range(ParallelFor* parallel, int64_t count, F body) {
  parallel == nullptr ? body(0, count) : parallel->run(count, 1, body);
}

void linear(const View& x, const View& weight, const View* bias, const View& out,
            ParallelFor* parallel) {
  const int64_t n = weight.sizes[0];
  const int64_t k = weight.sizes[1];
  const int64_t bias_step = bias == nullptr || bias->sizes[0] == 1 ? 0 : 1;
  for_range(parallel, n == 0 ? 0 : out.numel() / n, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      for (int64_t o = 0; o < n; ++o) {
        float sum = 0;
        for (int64_t i = 0; i < k; ++i) {
          sum += x.data[row * k + i] * weight.data[o * k + i];
        }
        out.data[row * n + o] = bias == nullptr ? sum : sum + bias->data[o * bias_step];
      }
    }
  });
}

// Adds one kernel element's contribution to a row of the output.
void add_scaled_row(const float* row, int32_t width, float factor, int32_t stride, int64_t shift,
                    float* out, int32_t out_width) {
  // Where 0 <= x * stride + shift < width.
  int64_t first = shift < 0 ? (-shift + stride - 1) / stride : 0;
  int64_t last = width - shift <= 0 ? 0 : (width - shift + stride - 1) / stride;
  last = last < out_width ? last : out_width;
  for (int64_t x = first; x < last; ++x) {
    out[x] += factor * row[x * stride + shift];
  }
}

void conv2d(const NodeRecord& node, const View& x, const View& weight, const View* bias,
            const View& out, ParallelFor* parallel) {
  const int64_t channels = weight.sizes[1];  // of a group
  const int64_t per_group = weight.sizes[0] / node.groups;
  const int32_t kernel_h = weight.sizes[2], kernel_w = weight.sizes[3];
  const int32_t height = x.sizes[2], width = x.sizes[3];
  const int32_t out_h = out.sizes[2], out_w = out.sizes[3];
  for_range(parallel, int64_t{out.sizes[0]} * out.sizes[1], [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const int64_t o = plane % out.sizes[1];
      const int64_t first_channel = plane / out.sizes[1] * x.sizes[1] + o / per_group * channels;
      for (int32_t y = 0; y < out_h; ++y) {
        float* row = out.data + (plane * out_h + y) * out_w;
        for (int32_t i = 0; i < out_w; ++i) {
          row[i] = bias == nullptr ? 0.0f : bias->data[o];
        }
        for (int64_t c = 0; c < channels; ++c) {
          for (int32_t ky = 0; ky < kernel_h; ++ky) {
            const int64_t in_y = int64_t{y} * node.stride[0] + ky - node.padding[0];
            if (in_y < 0 || in_y >= height) {
              continue;
            }
            const float* in_row = x.data + ((first_channel + c) * height + in_y) * width;
            const float* kernel = weight.data + ((o * channels + c) * kernel_h + ky) * kernel_w;
            for (int32_t kx = 0; kx < kernel_w; ++kx) {
              add_scaled_row(in_row, width, kernel[kx], node.stride[1], kx - node.padding[1], row,
                             out_w);
            }
          }
        }
      }
    }
  });
}

}  // namespace

bool infer_sizes(const NodeRecord& node, const View* const in[3], View* out) {
  switch (node.op) {
    case Op::kAdd:
    case Op::kMul:
      return infer_broadcast(*in[0], *in[1], out);
    case Op::kClamp:
      return infer_broadcast(*in[0], *in[0], out);
    case Op::kLinear:
      return infer_linear(*in[0], *in[1], in[2], out);
    case Op::kConv2d:
      return infer_conv2d(node, *in[0], *in[1], in[2], out);
  }
  return false;
}

void compute(const NodeRecord& node, const View* const in[3], const View& out,
             ParallelFor* parallel) {
  const float p = node.numbers[0];
  const float q = node.numbers[1];
  switch (node.op) {
    case Op::kAdd:
      return combine(*in[0], *in[1], out, [p](float a, float b) { return a + p * b; });
    case Op::kMul:
      return combine(*in[0], *in[1], out, [](float a, float b) { return a * b; });
    case Op::kClamp:  // a NaN stays
      return combine(*in[0], *in[0], out, [p, q](float a, float) {
        const float least = a < p ? p : a;
        return least > q ? q : least;
      });
    case Op::kLinear:
      return linear(*in[0], *in[1], in[2], out, parallel);
    case Op::kConv2d:
      return conv2d(node, *in[0], *in[1], in[2], out, parallel);
  }
}

}  // namespace cresset::backends::example
