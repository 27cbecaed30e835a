// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"

namespace cresset::kernels {

// What becomes of an element where another one arrives.
enum class Combine : uint8_t { kReplace, kAdd, kMultiply, kGreatest, kLeast };

// to[i] = to[i] combined with from[i], `count` times in order; strides in bytes. Integers wrap,
// bools add by or, 16-bit floats compute in float, NaN wins over greatest and least.
using CombineFn = void (*)(uint8_t* to, ptrdiff_t to_stride, const uint8_t* from,
                           ptrdiff_t from_stride, int64_t count);

// The function for elements of `dtype`; null where there is none (arithmetic with complex numbers).
CombineFn combine_fn(Combine combine, DType dtype);

}  // namespace cresset::kernels
