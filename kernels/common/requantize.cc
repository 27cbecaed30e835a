// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/requantize.h"

namespace cresset::kernels {

void round_run(const QuantRange& range, const float* v, int64_t count, int32_t* y) {
  for (int64_t i = 0; i < count; ++i) {
    y[i] = ops::round_into(range, v[i]);
  }
}

Requantizer Requantizer::floating(const QuantRange& range, float multiplier) {
  Requantizer r;
  r.range_ = range;
  r.float_ = true;
  r.factor_ = multiplier;
  return r;
}

Requantizer Requantizer::fixed(const QuantRange& range, int32_t multiplier, int32_t shift) {
  return narrow(range, multiplier, 0, shift);
}

Requantizer Requantizer::narrow(const QuantRange& range, int32_t multiplier, int32_t pre_shift,
                                int32_t shift) {
  Requantizer r;
  r.range_ = range;
  r.multiplier_ = multiplier;
  r.pre_shift_ = pre_shift;
  r.shift_ = shift;
  return r;
}

Requantizer Requantizer::of(const QuantRange& range, float multiplier, IntSpan fixed) {
  return fixed.empty() ? floating(range, multiplier)
                       : Requantizer::fixed(range, static_cast<int32_t>(fixed[0]),
                                            static_cast<int32_t>(fixed[1]));
}

void Requantizer::run(const uint32_t* sums, int64_t count, const IntegerOut& out,
                      int64_t step) const {
  if (!float_) {
    for (int64_t i = 0; i < count; ++i) {
      out.store(i * step, (*this)(static_cast<int32_t>(sums[i])));
    }
    return;
  }
  constexpr int64_t kChunk = 16;
  const float factor = factor_;
  for (int64_t first = 0; first < count; first += kChunk) {
    const int64_t n = count - first < kChunk ? count - first : kChunk;
    float v[kChunk];
    int32_t y[kChunk];
    for (int64_t i = 0; i < n; ++i) {
      v[i] = static_cast<float>(static_cast<int32_t>(sums[first + i])) * factor;
    }
    round_run(range_, v, n, y);
    (out + first * step).store_run(step, n, y);
  }
}

void Requantizer::run_each(const Requantizer* requantizers, const uint32_t* sums, int64_t count,
                           const IntegerOut& out) {
  for (int64_t i = 0; i < count; ++i) {
    out.store(i, requantizers[i](static_cast<int32_t>(sums[i])));
  }
}

Status ChannelScales::check(KernelContext& context) const {
  if (shift == nullptr) {
    return Status::kOk;
  }
  const bool narrow = scale.dtype() == DType::kInt16;
  for (int64_t c = 0; c < scale.size(0); ++c) {
    const int32_t multiplier = narrow ? scale.data<int16_t>()[c] : scale.data<int32_t>()[c];
    if (multiplier < 0) {
      return context.fail(Status::kInvalidArgument, "scale[{}] must not be negative, got {}", c,
                          multiplier);
    }
    const int8_t last = narrow ? shift->data<int8_t>()[c * shift->stride(0) + shift->stride(1)]
                               : shift->data<int8_t>()[c];
    const int8_t first = narrow ? shift->data<int8_t>()[c * shift->stride(0)] : int8_t{0};
    if (last < 1 || last > 62 || first < 0 || first > 31) {
      return context.fail(
          Status::kInvalidArgument,
          "shift of channel {} must be in [1, 62] after at most 31, got {} after {}", c, last,
          first);
    }
  }
  return Status::kOk;
}

Requantizer ChannelScales::of(int64_t channel) const {
  const int64_t c = scale.size(0) == 1 ? 0 : channel;
  switch (scale.dtype()) {
    case DType::kInt32:
      return Requantizer::fixed(range, scale.data<int32_t>()[c], shift->data<int8_t>()[c]);
    case DType::kInt16: {
      const int8_t* const shifts = shift->data<int8_t>() + c * shift->stride(0);
      return Requantizer::narrow(range, scale.data<int16_t>()[c], shifts[0],
                                 shifts[shift->stride(1)]);
    }
    default:
      return Requantizer::floating(
          range,
          ops::float_multiplier(x_scale, static_cast<double>(scale.data<float>()[c]), y_scale));
  }
}

}  // namespace cresset::kernels
