// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/dtype.h"
#include "core/kernel_context.h"

namespace cresset::kernels {

// A type as a value, so that a generic lambda can be handed one: [&](auto tag) { using T = typename
// decltype(tag)::Type; ... }.
template <class T>
struct Tag {
  using Type = T;
};

// Calls f(Tag<T>()) with the C++ type of `dtype`, one of the types listed; f returns a Status.
// Every listed type instantiates f once: list few where speed is not the point, and compute through
// a common type instead.
template <class... T, class F>
Status dispatch(KernelContext& context, DType dtype, F&& f) {
  Status status = Status::kInternal;
  const bool found = ((dtype == kDTypeOf<T> ? (status = f(Tag<T>()), true) : false) || ...);
  if (!found) {
    return context.fail(Status::kInvalidType, "{} is not supported", dtype);
  }
  return status;
}

template <class F>
Status dispatch_floating(KernelContext& context, DType dtype, F&& f) {
  return dispatch<float, double, Half, BFloat16>(context, dtype, f);
}

template <class F>
Status dispatch_integral(KernelContext& context, DType dtype, F&& f) {
  return dispatch<uint8_t, int8_t, int16_t, int32_t, int64_t>(context, dtype, f);
}

// Integers and floats, without bool.
template <class F>
Status dispatch_real(KernelContext& context, DType dtype, F&& f) {
  return dispatch<float, double, Half, BFloat16, uint8_t, int8_t, int16_t, int32_t, int64_t>(
      context, dtype, f);
}

template <class F>
Status dispatch_real_and_bool(KernelContext& context, DType dtype, F&& f) {
  return dispatch<float, double, Half, BFloat16, uint8_t, int8_t, int16_t, int32_t, int64_t, bool>(
      context, dtype, f);
}

// For kernels that only move elements: f(Tag<T>()) with an unsigned (or 16-byte) type of the same
// width.
struct Bytes16 {
  uint64_t low, high;
};
template <class F>
Status dispatch_width(KernelContext& context, DType dtype, F&& f) {
  switch (dtype_bytes(dtype)) {
    case 1:
      return f(Tag<uint8_t>());
    case 2:
      return f(Tag<uint16_t>());
    case 4:
      return f(Tag<uint32_t>());
    case 8:
      return f(Tag<uint64_t>());
    case 16:
      return f(Tag<Bytes16>());
    default:
      return context.fail(Status::kInvalidType, "{} is not supported", dtype);
  }
}

// The type in which a kernel computes and accumulates: float for 16-bit floats, else T itself.
template <class T>
struct AccumulatorOf {
  using Type = T;
};
template <>
struct AccumulatorOf<Half> {
  using Type = float;
};
template <>
struct AccumulatorOf<BFloat16> {
  using Type = float;
};
template <class T>
using Accumulator = typename AccumulatorOf<T>::Type;

}  // namespace cresset::kernels
