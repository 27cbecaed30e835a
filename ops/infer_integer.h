// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_index.h"
#include "ops/infer_nn.h"
#include "ops/infer_reduce.h"

// Rules of the integer rows (cresset::q*): 8-bit operands with a scale and a zero point each, a
// 32-bit sum, a requantized output. Three arguments describe an operand (scale, zero) or the output
// (scale, zero, min, max), always in this order.
namespace cresset::ops::infer {

inline int64_t least_integer(DType dtype) {
  return dtype == DType::kUInt8 ? 0 : -(int64_t{1} << (8 * dtype_bytes(dtype) - 1));
}
inline int64_t greatest_integer(DType dtype) {
  return dtype == DType::kUInt8 ? 255 : (int64_t{1} << (8 * dtype_bytes(dtype) - 1)) - 1;
}

template <class C>
Status want_zero(C& c, size_t i, DType dtype, const char* name) {
  if (c.integer(i) < least_integer(dtype) || c.integer(i) > greatest_integer(dtype)) {
    return c.fail("zero point {} of {} is out of the range of {}", c.integer(i), name, dtype);
  }
  return Status::kOk;
}

// Tensor argument i is int8 or uint8, its zero point `zero_at` too.
template <class C>
Status want_operand(C& c, size_t i, size_t zero_at, const char* name) {
  if (c.dtype(i) != DType::kInt8 && c.dtype(i) != DType::kUInt8) {
    return c.fail("{} must be int8 or uint8, got {}", name, c.dtype(i));
  }
  return want_zero(c, zero_at, c.dtype(i), name);
}

// The output's scale, zero, min and max are arguments scale_at and following; its dtype argument
// dtype_at, or that of argument 0.
template <class C>
Status quantized_dtype(C& c, size_t scale_at, size_t dtype_at, DType* dtype) {
  *dtype = c.dtype_arg(dtype_at).value_or(c.dtype(0));
  if (*dtype != DType::kInt8 && *dtype != DType::kUInt8 && *dtype != DType::kInt16) {
    return c.fail("the dtype of the output must be int8, uint8 or int16, got {}", *dtype);
  }
  if (!(c.scalar(scale_at).to_double() > 0)) {
    return c.fail("y_scale must be positive, got {}", c.scalar(scale_at).to_double());
  }
  CRESSET_TRY(want_zero(c, scale_at + 1, *dtype, "the output"));
  const int64_t low = c.integer(scale_at + 2), high = c.integer(scale_at + 3);
  if (low < least_integer(*dtype) || high > greatest_integer(*dtype) || low > high) {
    return c.fail("y_min {} and y_max {} are no range within {}", low, high, *dtype);
  }
  return Status::kOk;
}

// int[] argument i is empty, or `count` numbers: multipliers, then a shift at `shift_at`.
template <class C>
Status want_fixed(C& c, size_t i, size_t count, size_t shift_at) {
  if (c.list_size(i) == 0) {
    return Status::kOk;
  }
  if (c.list_size(i) != count) {
    return c.fail("fixed must have {} entries or none, got {}", count, c.list_size(i));
  }
  for (size_t k = 0; k < count; ++k) {
    const int64_t value = c.int_item(i, k);
    if (k == shift_at && (value < 1 || value > 62)) {
      return c.fail("the shift in fixed must be in [1, 62], got {}", value);
    }
    if (value < -0x7fffffff || value > 0x7fffffff) {
      return c.fail("entry {} of fixed must have 31 bits, got {}", k, value);
    }
  }
  return Status::kOk;
}

// int[] argument i is empty, or [multiplier, shift, count] of sums of `count` numbers.
template <class C>
Status want_mean_fixed(C& c, size_t i) {
  CRESSET_TRY(want_fixed(c, i, 3, 1));
  constexpr int64_t kGreatest = int64_t{1} << 22;
  if (c.list_size(i) != 0 && (c.int_item(i, 2) < 1 || c.int_item(i, 2) > kGreatest)) {
    return c.fail("the count in fixed must be in [1, {}], got {}", kGreatest, c.int_item(i, 2));
  }
  return Status::kOk;
}

// weight, bias, scale and shift are arguments 1 to 4 of a row whose output has `channels` channels.
template <class C>
Status want_channel_scales(C& c, const typename C::Dim& channels) {
  if (c.dtype(1) != DType::kInt8) {
    return c.fail("weight must be int8, got {}", c.dtype(1));
  }
  if (c.has(2)) {
    if (c.dtype(2) != DType::kInt32) {
      return c.fail("bias must be int32, got {}", c.dtype(2));
    }
    CRESSET_TRY(want_rank(c, 2, 1, "bias"));
    CRESSET_TRY(want_equal(c, c.size(2, 0), channels, "size of bias and output channels"));
  }
  CRESSET_TRY(want_rank(c, 3, 1, "scale"));
  if (!known_one(c, c.size(3, 0))) {
    CRESSET_TRY(want_equal(c, c.size(3, 0), channels, "size of scale and output channels"));
  }
  if (c.dtype(3) == DType::kFloat32) {
    return c.has(4) ? c.fail("shift must be None where scale is float32") : Status::kOk;
  }
  if (c.dtype(3) != DType::kInt32 && c.dtype(3) != DType::kInt16) {
    return c.fail("scale must be float32, int32 or int16, got {}", c.dtype(3));
  }
  if (!c.has(4) || c.dtype(4) != DType::kInt8) {
    return c.fail("shift must be int8 where scale is {}", c.dtype(3));
  }
  const size_t rank = c.dtype(3) == DType::kInt16 ? 2 : 1;
  CRESSET_TRY(want_rank(c, 4, rank, "shift"));
  CRESSET_TRY(want_equal(c, c.size(4, 0), c.size(3, 0), "sizes of shift and scale"));
  return rank == 1 ? Status::kOk
                   : want_equal(c, c.size(4, 1), typename C::Dim(2), "columns of shift, and");
}

// (x, weight, bias, scale, shift, x_scale 5, x_zero, y_scale 7, y_zero, y_min, y_max, stride 11,
// padding, dilation, [output_padding,] groups, dtype)
template <class C>
Status integer_convolution(C& c, bool transposed) {
  using D = typename C::Dim;
  const size_t groups_at = transposed ? 15 : 14;
  CRESSET_TRY(want_rank(c, 0, 4, "x"));
  CRESSET_TRY(want_rank(c, 1, 4, "weight"));
  CRESSET_TRY(want_operand(c, 0, 6, "x"));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 7, groups_at + 1, &dtype));
  CRESSET_TRY(want_list(c, 11, 2, 1, "stride"));
  CRESSET_TRY(want_list(c, 12, 2, 0, "padding"));
  CRESSET_TRY(want_list(c, 13, 2, 1, "dilation"));
  const int64_t groups = c.integer(groups_at);
  const Optional<int64_t> filters = C::known(c.size(1, 0));
  if (groups < 1 || (filters.has_value() && *filters % groups != 0)) {
    return c.fail("groups {} must divide the {} filters of weight", groups, filters.value_or(0));
  }
  D channels = c.size(1, 0);
  if (transposed) {
    CRESSET_TRY(want_list(c, 14, 2, 0, "output_padding"));
    CRESSET_TRY(want_equal(c, c.size(0, 1), c.size(1, 0), "channels of x and weight"));
    channels = c.size(1, 1) * groups;
  } else {
    CRESSET_TRY(want_equal(c, c.size(0, 1), c.size(1, 1) * groups,
                           "channels of x, and of weight times groups"));
  }
  CRESSET_TRY(want_channel_scales(c, channels));
  Dims<D> dims;
  dims.push(c.size(0, 0));
  dims.push(channels);
  for (size_t d = 0; d < 2; ++d) {
    dims.push(D(0));
    CRESSET_TRY(
        convolved_size(c, {1, 11, 12, 13, transposed ? size_t{14} : size_t{0}}, d, &dims[2 + d]));
  }
  return c.set(0, dims, dtype);
}
template <class C>
Status qconv2d(C& c) {
  return integer_convolution(c, false);
}
template <class C>
Status qconv_transpose2d(C& c) {
  return integer_convolution(c, true);
}

// (x [..., k], weight [m, k], bias, scale, shift, x_scale 5, x_zero, y_scale 7, y_zero, y_min,
// y_max, dtype 11) -> [..., m]
template <class C>
Status qlinear(C& c) {
  if (c.rank(0) < 1) {
    return c.fail("x must have at least one dimension");
  }
  CRESSET_TRY(want_rank(c, 1, 2, "weight"));
  CRESSET_TRY(want_operand(c, 0, 6, "x"));
  CRESSET_TRY(
      want_equal(c, c.size(0, c.rank(0) - 1), c.size(1, 1), "last dimensions of x and weight"));
  CRESSET_TRY(want_channel_scales(c, c.size(1, 0)));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 7, 11, &dtype));
  Dims<typename C::Dim> dims = sizes_of(c, 0);
  dims[dims.rank - 1] = c.size(1, 0);
  return c.set(0, dims, dtype);
}

// (a [..., n, k], b [..., k, m], a_scale 2, a_zero, b_scale 4, b_zero, y_scale 6, y_zero, y_min,
// y_max, fixed 10, dtype 11) -> [..., n, m]; leading dimensions broadcast.
template <class C>
Status qmatmul(C& c) {
  using D = typename C::Dim;
  const size_t ra = c.rank(0), rb = c.rank(1);
  if (ra < 2 || rb < 2) {
    return c.fail("a and b must have at least 2 dimensions, got {} and {}", ra, rb);
  }
  CRESSET_TRY(want_operand(c, 0, 3, "a"));
  CRESSET_TRY(want_operand(c, 1, 5, "b"));
  CRESSET_TRY(want_equal(c, c.size(0, ra - 1), c.size(1, rb - 2), "columns of a and rows of b"));
  CRESSET_TRY(want_fixed(c, 10, 2, 1));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 6, 11, &dtype));
  Dims<D> dims;
  const size_t lead = (ra > rb ? ra : rb) - 2;
  for (size_t back = lead; back > 0; --back) {  // counts from the matrix dimensions outward
    const bool in_a = ra - 2 >= back, in_b = rb - 2 >= back;
    if (!in_a || !in_b) {
      dims.push(in_a ? c.size(0, ra - 2 - back) : c.size(1, rb - 2 - back));
      continue;
    }
    const D a = c.size(0, ra - 2 - back), b = c.size(1, rb - 2 - back);
    if (!known_one(c, a) && !known_one(c, b)) {
      CRESSET_TRY(want_equal(c, a, b, "batches of a and b"));
    }
    dims.push(known_one(c, a) ? b : a);
  }
  dims.push(c.size(0, ra - 2));
  dims.push(c.size(1, rb - 1));
  return c.set(0, dims, dtype);
}

// (a, b, a_scale 2, a_zero, b_scale 4, b_zero, y_scale 6, y_zero, y_min, y_max, fixed 10, dtype 11)
template <class C>
Status integer_pair(C& c, size_t fixed_count) {
  CRESSET_TRY(want_operand(c, 0, 3, "a"));
  CRESSET_TRY(want_operand(c, 1, 5, "b"));
  CRESSET_TRY(want_fixed(c, 10, fixed_count, fixed_count - 1));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 6, 11, &dtype));
  Dims<typename C::Dim> dims = sizes_of(c, 0);
  CRESSET_TRY(broadcast_with(c, 1, &dims));
  return c.set(0, dims, dtype);
}
template <class C>
Status qadd(C& c) {
  return integer_pair(c, 3);
}
template <class C>
Status qmul(C& c) {
  return integer_pair(c, 2);
}

// (x, x_scale 1, x_zero, y_scale 3, y_zero, y_min, y_max, kernel_size 7, stride, padding, ceil_mode
// 10, count_include_pad, divisor_override 12, fixed 13, dtype 14)
template <class C>
Status qavg_pool2d(C& c) {
  CRESSET_TRY(want_operand(c, 0, 2, "x"));
  CRESSET_TRY(want_mean_fixed(c, 13));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 3, 14, &dtype));
  if (c.has(12) && c.integer(12) < 1) {
    return c.fail("divisor_override must be positive, got {}", c.integer(12));
  }
  Dims<typename C::Dim> dims;
  CRESSET_TRY(pool_sizes(c, 2, {7, 8, 9, 0, 10}, &dims));
  return c.set(0, dims, dtype);
}

// (x, x_scale 1, x_zero, y_scale 3, y_zero, y_min, y_max, dim 7, keepdim, fixed 9, dtype 10)
template <class C>
Status qmean(C& c) {
  CRESSET_TRY(want_operand(c, 0, 2, "x"));
  CRESSET_TRY(want_mean_fixed(c, 9));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 3, 10, &dtype));
  uint32_t mask;
  CRESSET_TRY(reduced_mask(c, 7, &mask));
  CRESSET_TRY(need_elements(c, mask));
  return c.set(0, reduced_sizes(c, mask, c.boolean(8)), dtype);
}

// (x, table [256])
template <class C>
Status qlookup(C& c) {
  if (c.dtype(0) != DType::kInt8 && c.dtype(0) != DType::kUInt8) {
    return c.fail("x must be int8 or uint8, got {}", c.dtype(0));
  }
  CRESSET_TRY(want_rank(c, 1, 1, "table"));
  CRESSET_TRY(want_equal(c, c.size(1, 0), typename C::Dim(256), "size of table, and"));
  return c.set(0, sizes_of(c, 0), c.dtype(1));
}

// (x, dim, table i32[256], x_scale 3, y_scale 4, y_zero, y_min, y_max, fixed 8, dtype 9)
template <class C>
Status qsoftmax(C& c) {
  if (c.dtype(0) != DType::kInt8 && c.dtype(0) != DType::kUInt8) {
    return c.fail("x must be int8 or uint8, got {}", c.dtype(0));
  }
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  if (c.dtype(2) != DType::kInt32) {
    return c.fail("table must be int32, got {}", c.dtype(2));
  }
  CRESSET_TRY(want_rank(c, 2, 1, "table"));
  CRESSET_TRY(want_equal(c, c.size(2, 0), typename C::Dim(256), "size of table, and"));
  if (c.list_size(8) != 2) {
    return c.fail("fixed must have 2 entries, got {}", c.list_size(8));
  }
  CRESSET_TRY(want_fixed(c, 8, 2, 1));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 4, 9, &dtype));
  return c.set(0, sizes_of(c, 0), dtype);
}

// (x, x_scale 1, x_zero, y_scale 3, y_zero, y_min, y_max, fixed 7, dtype 8)
template <class C>
Status requantize(C& c) {
  const DType from = c.dtype(0);
  if (from != DType::kInt8 && from != DType::kUInt8 && from != DType::kInt16 &&
      from != DType::kInt32) {
    return c.fail("x must be int8, uint8, int16 or int32, got {}", from);
  }
  CRESSET_TRY(want_zero(c, 2, from, "x"));
  CRESSET_TRY(want_fixed(c, 7, 2, 1));
  DType dtype;
  CRESSET_TRY(quantized_dtype(c, 3, 8, &dtype));
  return c.set(0, sizes_of(c, 0), dtype);
}

// weight, scale and zero are arguments `at` and following, bits and group_size arguments `bits_at`
// and following: rows of `columns` numbers (docs/quantization.md).
template <class C>
Status want_packed(C& c, size_t at, size_t bits_at, int64_t columns) {
  const int64_t bits = c.integer(bits_at), group = c.integer(bits_at + 1);
  if (bits != 8 && bits != 4 && bits != 2) {
    return c.fail("bits is {}, expected 8, 4 or 2", bits);
  }
  if (group < 0) {
    return c.fail("group_size is {}", group);
  }
  const DType dtype = bits == 8 ? DType::kInt8 : DType::kUInt8;
  if (c.dtype(at) != dtype) {
    return c.fail("weight must be {} for {} bits, got {}", dtype, bits, c.dtype(at));
  }
  CRESSET_TRY(want_equal(c, c.size(at, 1), typename C::Dim((columns * bits + 7) / 8),
                         "bytes a row of weight, and"));
  const int64_t size = group == 0 || group > columns ? columns : group;
  const int64_t groups = size == 0 ? 1 : (columns + size - 1) / size;
  for (size_t i = at + 1; i < at + 3; ++i) {
    if (!c.has(i)) {
      continue;
    }
    const bool is_scale = i == at + 1;
    if (c.dtype(i) != (is_scale ? DType::kFloat32 : DType::kInt8)) {
      return c.fail(is_scale ? "scale must be float32, got {}" : "zero must be int8, got {}",
                    c.dtype(i));
    }
    CRESSET_TRY(want_rank(c, i, 2, is_scale ? "scale" : "zero"));
    CRESSET_TRY(want_equal(c, c.size(i, 0), c.size(at, 0), "rows of scale or zero, and weight"));
    CRESSET_TRY(want_equal(c, c.size(i, 1), typename C::Dim(groups), "groups a row, and"));
  }
  return Status::kOk;
}

// (x [..., k], weight, scale, zero, bias, bits 5, group_size) -> [..., m]
template <class C>
Status qlinear_weight(C& c) {
  if (c.rank(0) < 1) {
    return c.fail("x must have at least one dimension");
  }
  if (c.dtype(0) != DType::kFloat32) {
    return c.fail("x must be float32, got {}", c.dtype(0));
  }
  CRESSET_TRY(want_rank(c, 1, 2, "weight"));
  const Optional<int64_t> columns = C::known(c.size(0, c.rank(0) - 1));
  if (!columns.has_value()) {
    return c.fail("the last dimension of x must be static");
  }
  CRESSET_TRY(want_packed(c, 1, 5, *columns));
  if (c.has(4)) {
    if (c.dtype(4) != DType::kFloat32) {
      return c.fail("bias must be float32, got {}", c.dtype(4));
    }
    CRESSET_TRY(want_rank(c, 4, 1, "bias"));
    CRESSET_TRY(want_equal(c, c.size(4, 0), c.size(1, 0), "size of bias and rows of weight"));
  }
  Dims<typename C::Dim> dims = sizes_of(c, 0);
  dims[dims.rank - 1] = c.size(1, 0);
  return c.set(0, dims, DType::kFloat32);
}

// The same, then (per, symmetric, x_min 9, x_max, eps)
template <class C>
Status qlinear_dynamic(C& c) {
  const int64_t low = c.integer(9), high = c.integer(10);
  if (low > 0 || low < -128 || high <= low || high > 255 || high - low > 255) {
    return c.fail("x_min {} and x_max {} are no range of 8 bits around 0", low, high);
  }
  if (!(c.scalar(11).to_double() > 0)) {
    return c.fail("eps must be positive, got {}", c.scalar(11).to_double());
  }
  return qlinear_weight(c);
}

// (weight, scale, zero, indices, bits 4, group_size, dtype 6) -> [..., width]
template <class C>
Status qembedding(C& c) {
  CRESSET_TRY(want_rank(c, 0, 2, "weight"));
  const Optional<int64_t> bytes = C::known(c.size(0, 1));
  const int64_t bits = c.integer(4);
  if (!bytes.has_value() || bits < 1 || bits > 8) {
    return c.fail("weight must have static rows of 8, 4 or 2 bits");
  }
  CRESSET_TRY(want_packed(c, 0, 4, *bytes * 8 / bits));
  CRESSET_TRY(need_index_dtype(c, c.dtype(3)));
  if (c.rank(3) == kMaxRank) {
    return c.fail("the result has more than {} dimensions", kMaxRank);
  }
  const DType dtype = *c.dtype_arg(6);
  if (dtype != DType::kFloat32 && dtype != DType::kFloat16 && dtype != DType::kBFloat16) {
    return c.fail("the result must be a float of 16 or 32 bits, got {}", dtype);
  }
  Dims<typename C::Dim> dims = sizes_of(c, 3);
  dims.push(typename C::Dim(*bytes * 8 / bits));
  return c.set(0, dims, dtype);
}

}  // namespace cresset::ops::infer
