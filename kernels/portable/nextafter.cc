// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

namespace {

// The neighbour of `from` in a 16-bit format whose bits order like the numbers of one sign.
template <class ToBits, class ToFloat>
float neighbour(float from, float to, ToBits to_bits, ToFloat to_float) {
  if (std::isnan(from) || std::isnan(to)) {
    return from + to;
  }
  if (from == to) {
    return to;
  }
  if (from == 0) {
    return std::copysign(to_float(uint16_t{1}), to);
  }
  const uint16_t bits = to_bits(from);
  const bool outward = (to > from) == (from > 0);
  return to_float(static_cast<uint16_t>(outward ? bits + 1 : bits - 1));
}

}  // namespace

Status nextafter(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
  const DType dtype = out.dtype();
  if (dtype != DType::kFloat16 && dtype != DType::kBFloat16) {
    return binary_floating(context, self, other, out,
                           [](auto from, auto to) { return std::nextafter(from, to); });
  }
  const bool brain = dtype == DType::kBFloat16;
  return map<float>(context, out, dtype, self, dtype, other, [brain](float from, float to) {
    return brain ? neighbour(from, to, half_bits::float_to_bfloat16, half_bits::bfloat16_to_float)
                 : neighbour(from, to, half_bits::float_to_half, half_bits::half_to_float);
  });
}

}  // namespace cresset::kernels::portable
