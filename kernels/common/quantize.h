// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/kernel_context.h"
#include "core/tensor.h"

// Affine quantization: q = round(x / scale) + zero_point within bounds, halves to even, NaN the
// lower bound; and back: x = (q - zero_point) * scale.
namespace cresset::kernels {

struct QuantBounds {
  int64_t low;
  int64_t high;
};

// The whole number q within the bounds.
template <class C>
int64_t clamped(C q, const QuantBounds& bounds) {
  return !(q > static_cast<C>(bounds.low))  ? bounds.low
         : q >= static_cast<C>(bounds.high) ? bounds.high
                                            : static_cast<int64_t>(q);
}

// One scale and zero point; computed in float32. `input` is float32, float16 or bfloat16.
Status quantize(KernelContext& context, const Tensor& input, double scale, int64_t zero_point,
                const QuantBounds& bounds, Tensor& out);
// `input` must have the dtype that the operator states; one rounding to a 16-bit output at the end.
Status dequantize(KernelContext& context, const Tensor& input, DType stated, double scale,
                  int64_t zero_point, Tensor& out);

// Whether the zero point is added to the rounded number or before the rounding.
enum class ZeroPoint : uint8_t { kAfterRounding, kBeforeRounding };

// Scales (float32 or float64) and zero points that broadcast to `input`; `zero_points` may be null.
// Computed in float64 where the input or the scales are, else in float32.
Status quantize(KernelContext& context, const Tensor& input, const Tensor& scales,
                const Tensor* zero_points, ZeroPoint when, const QuantBounds& bounds, Tensor& out);
Status dequantize(KernelContext& context, const Tensor& input, DType stated, const Tensor& scales,
                  const Tensor* zero_points, Tensor& out);

// A vector with one element for each index of a dimension, as a tensor that broadcasts to `input`.
// `axis` counts from the back where it is negative; both must fit (inference has checked).
class ChannelParameter {
 public:
  ChannelParameter(const Tensor& vector, const Tensor& input, int64_t axis);
  const Tensor& operator*() { return *spread_; }

 private:
  LocalTensor spread_;
};

// The one element of a tensor as a number.
double number_of(const Tensor& tensor);

}  // namespace cresset::kernels
