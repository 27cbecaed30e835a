// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer.h"

// Rules of operators between numbers and their quantized or taken apart forms.
namespace cresset::ops::infer {

// Whether quant_min (argument 3) and quant_max lie in the integer dtype of argument 5.
template <class C>
Status check_quant_bounds(C& c, DType dtype) {
  const int bits = static_cast<int>(dtype_bytes(dtype)) * 8;
  if (!is_integral(dtype) || dtype == DType::kBool || bits > 32) {
    return c.fail("dtype {} holds no quantized numbers", dtype);
  }
  const bool plain = dtype == DType::kUInt8;
  const int64_t low = plain ? 0 : -(int64_t{1} << (bits - 1));
  const int64_t high = plain ? 255 : (int64_t{1} << (bits - 1)) - 1;
  if (c.integer(3) < low || c.integer(4) > high) {
    return c.fail("quant_min {} or quant_max {} is out of the range [{}, {}] of {}", c.integer(3),
                  c.integer(4), low, high, dtype);
  }
  return Status::kOk;
}

// Shape of argument 0, dtype of argument 5.
template <class C>
Status quantize(C& c) {
  const DType dtype = c.dtype_arg(5).value_or(DType::kInt8);
  CRESSET_TRY(check_quant_bounds(c, dtype));
  return c.set(0, sizes_of(c, 0), dtype);
}

// Shape of argument 0, dtype of argument 6, else float32.
template <class C>
Status dequantize(C& c) {
  return c.set(0, sizes_of(c, 0), c.dtype_arg(6).value_or(DType::kFloat32));
}

// Mantissas like argument 0, exponents int32.
template <class C>
Status frexp(C& c) {
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  return c.set(1, sizes_of(c, 0), DType::kInt32);
}

}  // namespace cresset::ops::infer
