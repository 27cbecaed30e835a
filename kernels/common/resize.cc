// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/resize.h"

#include "kernels/common/dispatch.h"
#include "kernels/common/elements.h"
#include "kernels/common/spatial.h"

namespace cresset::kernels {

namespace {

// Rows and columns; a 1-d image is one row.
template <class C>
struct Axes {
  ResizeAxis<C> row, column;
};

template <class C>
Axes<C> axes_of(const Tensor& input, const Tensor& out, bool align_corners,
                const Optional<Span<const double>>& factors) {
  const size_t last = input.rank() - 1;
  const auto axis = [&](size_t dim) {
    return resize_axis<C>(
        input.size(dim), out.size(dim), align_corners,
        factors.has_value() ? Optional<double>((*factors)[dim - 2]) : Optional<double>());
  };
  return {input.rank() == 4 ? axis(2) : ResizeAxis<C>{1, 1, 1, false}, axis(last)};
}

// Calls f(input offset of the plane, output offset, row taps, column taps) for every output.
template <class C, class F>
void for_each_output(const Axes<C>& axes, Filter filter, const Tensor& input, const Tensor& out,
                     F&& f) {
  const size_t spatial = input.rank() - 2;
  const Volume in(input, spatial), to(out, spatial);
  const bool channels_inside = to.channel_stride == 1 && to.channels > 1;
  const int64_t outer = channels_inside ? 1 : to.channels;
  const int64_t inner = channels_inside ? to.channels : 1;
  for (int64_t i = 0; i < to.batch * outer; ++i) {
    const int64_t n = i / outer, c = i % outer;
    const int64_t in_plane = n * in.batch_stride + c * in.channel_stride;
    const int64_t out_plane = n * to.batch_stride + c * to.channel_stride;
    for (int64_t h = 0; h < to.size[1]; ++h) {
      const Taps<C> rows = taps_of(axes.row, filter, h);
      for (int64_t w = 0; w < to.size[2]; ++w) {
        const Taps<C> columns = taps_of(axes.column, filter, w);
        for (int64_t k = 0; k < inner; ++k) {
          f(in_plane + k * in.channel_stride,
            out_plane + k * to.channel_stride + h * to.stride[1] + w * to.stride[2], rows, columns);
        }
      }
    }
  }
}

// Weights as integers of `bits` fractional bits; as many as keep the largest weight in 16 bits.
int fraction_bits(const ResizeAxis<double>& axis, Filter filter) {
  double largest = 0;
  for (int64_t i = 0; i < axis.out; ++i) {
    const Taps<double> taps = taps_of(axis, filter, i);
    for (int t = 0; t < taps.count; ++t) {
      double weight = 0;  // inputs past the border count as the border
      for (int other = 0; other < taps.count; ++other) {
        weight += taps.at[other] == taps.at[t] ? taps.weight[other] : 0;
      }
      largest = weight > largest ? weight : largest;
    }
  }
  int bits = 0;
  while (bits < 22 && static_cast<int>(0.5 + largest * (1 << (bits + 1))) < (1 << 15)) {
    ++bits;
  }
  return bits;
}

// Rounded sum of weight * f(input position).
template <class F>
int32_t weigh_bytes(const Taps<double>& taps, int bits, F&& f) {
  int32_t sum = bits == 0 ? 0 : 1 << (bits - 1);
  for (int t = 0; t < taps.count; ++t) {
    double weight = 0;
    bool seen = false;
    for (int other = 0; other < taps.count; ++other) {
      seen = seen || (other < t && taps.at[other] == taps.at[t]);
      weight += taps.at[other] == taps.at[t] ? taps.weight[other] : 0;
    }
    if (!seen) {
      const double scaled = weight * (1 << bits);
      sum += static_cast<int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5) * f(taps.at[t]);
    }
  }
  sum >>= bits;
  return sum < 0 ? 0 : sum > 255 ? 255 : sum;
}

void resize_bytes(Filter filter, const Tensor& input, bool align_corners,
                  const Optional<Span<const double>>& factors, Tensor& out) {
  const Axes<double> axes = axes_of<double>(input, out, align_corners, factors);
  const int row_bits = fraction_bits(axes.row, filter);
  const int column_bits = fraction_bits(axes.column, filter);
  const uint8_t* const from = input.data<uint8_t>();
  uint8_t* const to = out.mutable_data<uint8_t>();
  const size_t rank = input.rank();
  const int64_t row_step = rank == 4 ? input.stride(2) : 0, step = input.stride(rank - 1);
  for_each_output(
      axes, filter, input, out,
      [&](int64_t plane, int64_t at, const Taps<double>& rows, const Taps<double>& columns) {
        to[at] = static_cast<uint8_t>(weigh_bytes(rows, row_bits, [&](int64_t row) {
          return weigh_bytes(columns, column_bits, [&](int64_t column) {
            return int32_t{from[plane + row * row_step + column * step]};
          });
        }));
      });
}

}  // namespace

Status resize(KernelContext& context, Filter filter, const Tensor& input, bool align_corners,
              Optional<Span<const double>> factors, Tensor& out) {
  const size_t rank = input.rank();
  const int64_t row_step = rank == 4 ? input.stride(2) : 0, step = input.stride(rank - 1);
  if (filter == Filter::kNearest) {
    const auto copy = [&](auto compute) {
      using C = decltype(compute);
      const Axes<C> axes = axes_of<C>(input, out, false, factors);
      return dispatch_width(context, input.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T* const from = input.data<T>();
        T* const to = out.mutable_data<T>();
        for_each_output(
            axes, filter, input, out,
            [&](int64_t plane, int64_t at, const Taps<C>& rows, const Taps<C>& columns) {
              to[at] = from[plane + rows.at[0] * row_step + columns.at[0] * step];
            });
        return Status::kOk;
      });
    };
    return input.dtype() == DType::kFloat64 ? copy(double()) : copy(float());
  }
  if (input.dtype() == DType::kUInt8) {
    resize_bytes(filter, input, align_corners, factors, out);
    return Status::kOk;
  }
  return dispatch_float_elements(context, input.dtype(), [&](auto e) {
    using E = decltype(e);
    using C = typename E::Compute;
    const Axes<C> axes = axes_of<C>(input, out, align_corners, factors);
    const auto from = elements_of<E>(input);
    const auto to = elements_of<E>(out);
    for_each_output(axes, filter, input, out,
                    [&](int64_t plane, int64_t at, const Taps<C>& rows, const Taps<C>& columns) {
                      C sum = 0;
                      for (int r = 0; r < rows.count; ++r) {
                        const int64_t row = plane + rows.at[r] * row_step;
                        C line = 0;
                        for (int c = 0; c < columns.count; ++c) {
                          line += columns.weight[c] * from[row + columns.at[c] * step];
                        }
                        sum += rows.weight[r] * line;
                      }
                      store(to, at, sum);
                    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
