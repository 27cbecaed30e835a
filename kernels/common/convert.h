// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/dtype.h"

namespace cresset::kernels {

// One element as another type. Floats become integers by truncation; what int64 cannot hold becomes
// its nearest bound, NaN 0; narrower integers wrap. To bool: whether it is not zero.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != 0;
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (!(value > static_cast<From>(-9223372036854775808.0))) {
      return static_cast<To>(value != value ? 0 : INT64_MIN);
    }
    return static_cast<To>(
        value < static_cast<From>(9223372036854775808.0) ? static_cast<int64_t>(value) : INT64_MAX);
  } else {
    return static_cast<To>(value);
  }
}

// The type in which elementwise kernels compute elements of `dtype`: int64 for bools and integers
// (results wrap when stored), float32 for 16- and 32-bit floats, float64; `dtype` itself where no
// such type holds its values (complex numbers, wide unsigned integers).
DType compute_dtype(DType dtype);

// Whether load_run takes elements of that dtype.
bool can_load(DType dtype);

// Converts `count` elements of `dtype`, `stride` bytes apart, to consecutive elements of `compute`:
// kInt64, kFloat32, kFloat64 or kBool. can_load(dtype) must hold.
void load_run(DType compute, void* to, DType dtype, const void* from, ptrdiff_t stride,
              size_t count);

// Converts `count` consecutive elements of `compute` to consecutive elements of `dtype`, for which
// compute_dtype(dtype) == compute must hold.
void store_run(DType dtype, void* to, DType compute, const void* from, size_t count);

}  // namespace cresset::kernels
