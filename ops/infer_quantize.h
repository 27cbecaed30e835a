// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer.h"
#include "ops/infer_index.h"

// Rules of operators between numbers and their quantized or taken apart forms.
namespace cresset::ops::infer {

// Whether quant_min (argument `at`) and quant_max (the next one) lie in the integer dtype.
template <class C>
Status check_quant_bounds(C& c, size_t at, DType dtype) {
  const int bits = static_cast<int>(dtype_bytes(dtype)) * 8;
  if (!is_integral(dtype) || dtype == DType::kBool || bits > 32) {
    return c.fail("dtype {} holds no quantized numbers", dtype);
  }
  const bool plain = dtype == DType::kUInt8;
  const int64_t low = plain ? 0 : -(int64_t{1} << (bits - 1));
  const int64_t high = plain ? 255 : (int64_t{1} << (bits - 1)) - 1;
  if (c.integer(at) < low || c.integer(at + 1) > high) {
    return c.fail("quant_min {} or quant_max {} is out of the range [{}, {}] of {}", c.integer(at),
                  c.integer(at + 1), low, high, dtype);
  }
  return Status::kOk;
}

// Shape of argument 0, dtype of argument 5.
template <class C>
Status quantize(C& c) {
  const DType dtype = c.dtype_arg(5).value_or(DType::kInt8);
  CRESSET_TRY(check_quant_bounds(c, 3, dtype));
  return c.set(0, sizes_of(c, 0), dtype);
}

// Shape of argument 0, dtype of argument 6, else float32.
template <class C>
Status dequantize(C& c) {
  return c.set(0, sizes_of(c, 0), c.dtype_arg(6).value_or(DType::kFloat32));
}

// Whether tensor argument i has one element for each index of a dimension of argument 0.
template <class C>
Status check_per_channel(C& c, size_t i, size_t axis) {
  if (c.rank(i) != 1) {
    return c.fail("argument {} has rank {}, expected 1", i, c.rank(i));
  }
  if (axis < c.rank(0) && known_different(c, c.size(i, 0), c.size(0, axis))) {
    return c.fail("argument {} has {} elements for {} channels", i, *C::known(c.size(i, 0)),
                  *C::known(c.size(0, axis)));
  }
  return Status::kOk;
}

// Scales and zero points (which may be absent) of dimension `axis` (argument 3) of argument 0.
template <class C>
Status check_channels(C& c) {
  size_t axis = 0;
  if (c.rank(0) == 0) {
    return c.fail("a tensor of rank 0 has no channels");
  }
  CRESSET_TRY(wrap_dim(c, c.integer(3), c.rank(0), &axis));
  CRESSET_TRY(check_per_channel(c, 1, axis));
  return c.has(2) ? check_per_channel(c, 2, axis) : Status::kOk;
}

// Shape of argument 0, dtype of argument 6.
template <class C>
Status quantize_per_channel(C& c) {
  const DType dtype = c.dtype_arg(6).value_or(DType::kInt8);
  CRESSET_TRY(check_channels(c));
  CRESSET_TRY(check_quant_bounds(c, 4, dtype));
  return c.set(0, sizes_of(c, 0), dtype);
}

// Shape of argument 0, dtype of argument 7, else float32.
template <class C>
Status dequantize_per_channel(C& c) {
  CRESSET_TRY(check_channels(c));
  return c.set(0, sizes_of(c, 0), c.dtype_arg(7).value_or(DType::kFloat32));
}

// Shape of argument 0, whose rows the parameters have one element each for.
template <class C>
Status check_tokens(C& c) {
  for (size_t i = 1; i <= 2; ++i) {
    Dims<typename C::Dim> sizes = sizes_of(c, 0);
    CRESSET_TRY(broadcast_with(c, i, &sizes));
    for (size_t d = 0; d < sizes.rank; ++d) {
      if (sizes.rank != c.rank(0) || known_different(c, sizes[d], c.size(0, d))) {
        return c.fail("argument {} does not broadcast to the input", i);
      }
    }
  }
  return Status::kOk;
}

template <class C>
Status quantize_per_token(C& c) {
  CRESSET_TRY(check_tokens(c));
  return quantize(c);
}

template <class C>
Status dequantize_per_token(C& c) {
  CRESSET_TRY(check_tokens(c));
  return dequantize(c);
}

// A scale and a zero point.
template <class C>
Status choose_qparams(C& c) {
  const DType dtype = c.dtype_arg(4).value_or(DType::kInt8);
  CRESSET_TRY(check_quant_bounds(c, 1, dtype));
  if (c.integer(1) >= c.integer(2)) {
    return c.fail("quant_min {} is not below quant_max {}", c.integer(1), c.integer(2));
  }
  Dims<typename C::Dim> one;
  one.push(1);
  CRESSET_TRY(c.set(0, one, DType::kFloat64));
  return c.set(1, one, DType::kInt64);
}

// A scale and a zero point for each row.
template <class C>
Status choose_qparams_per_token(C& c) {
  if (c.rank(0) == 0) {
    return c.fail("a tensor of rank 0 has no rows");
  }
  Dims<typename C::Dim> rows = sizes_of(c, 0);
  rows[rows.rank - 1] = 1;
  CRESSET_TRY(c.set(0, rows, DType::kFloat64));
  return c.set(1, rows, DType::kInt64);
}

// (weight, scales, zero points, quant_min, quant_max, indices): `fields` numbers lie in a byte.
template <class C>
Status quantized_embedding(C& c, int64_t fields, DType dtype) {
  if (c.rank(0) != 2 || c.rank(1) < 1 || c.rank(1) > 2 ||
      known_different(c, c.size(0, 0), c.size(1, 0))) {
    return c.fail("weight of rank {} does not go with scales of rank {}", c.rank(0), c.rank(1));
  }
  const typename C::Dim width = c.size(0, 1) * fields;
  if (c.rank(1) == 2) {
    const Optional<int64_t> columns = C::known(width), groups = C::known(c.size(1, 1));
    if (columns.has_value() && groups.has_value() && (*groups == 0 || *columns % *groups != 0)) {
      return c.fail("{} groups do not divide {} columns", *groups, *columns);
    }
  }
  if (c.has(2)) {
    for (size_t d = 0; d < c.rank(1); ++d) {
      if (c.rank(2) != c.rank(1) || known_different(c, c.size(1, d), c.size(2, d))) {
        return c.fail("zero points and scales have different sizes");
      }
    }
  }
  CRESSET_TRY(need_index_dtype(c, c.dtype(5)));
  Dims<typename C::Dim> out = sizes_of(c, 5);
  if (out.rank == kMaxRank) {
    return c.fail("the result has more than {} dimensions", kMaxRank);
  }
  out.push(width);
  return c.set(0, out, dtype);
}

template <class C>
Status embedding_byte(C& c) {
  return quantized_embedding(c, 1, c.dtype(1));
}
template <class C>
Status embedding_byte_dtype(C& c) {
  return quantized_embedding(c, 1, c.dtype_arg(6).value_or(c.dtype(1)));
}
template <class C>
Status embedding_4bit(C& c) {
  return quantized_embedding(c, 2, c.dtype(1));
}
template <class C>
Status embedding_4bit_dtype(C& c) {
  return quantized_embedding(c, 2, c.dtype_arg(6).value_or(c.dtype(1)));
}
template <class C>
Status embedding_2bit(C& c) {
  return quantized_embedding(c, 4, c.dtype(1));
}
template <class C>
Status embedding_2bit_dtype(C& c) {
  return quantized_embedding(c, 4, c.dtype_arg(6).value_or(c.dtype(1)));
}

// Mantissas like argument 0, exponents int32.
template <class C>
Status frexp(C& c) {
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  return c.set(1, sizes_of(c, 0), DType::kInt32);
}

}  // namespace cresset::ops::infer
