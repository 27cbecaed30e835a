// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <string>

#include "compiler/passes/decompositions.h"

// Quantized numbers (quantized_decomposed) in terms of arithmetic: what is rounded where is part of
// the format, so each step computes in the dtype that PyTorch computes it in.
namespace cresset::passes::decompositions {

namespace {

int64_t low_of(DType dtype) {
  return dtype == DType::kUInt8 ? 0 : -(int64_t{1} << (dtype_bytes(dtype) * 8 - 1));
}
int64_t high_of(DType dtype) {
  return dtype == DType::kUInt8 ? 255 : (int64_t{1} << (dtype_bytes(dtype) * 8 - 1)) - 1;
}

// Reads quant_min, quant_max and dtype from arguments `at` and on; they must go together.
struct Bounds {
  int64_t low;
  int64_t high;
  DType dtype;
};
Bounds bounds_at(Builder& b, size_t at) {
  const Bounds bounds{b.integer(at), b.integer(at + 1), b.dtype(at + 2, DType::kInt8)};
  if (!is_integral(bounds.dtype) || bounds.low < low_of(bounds.dtype) ||
      bounds.high > high_of(bounds.dtype)) {
    b.fail("quant_min " + std::to_string(bounds.low) + " or quant_max " +
           std::to_string(bounds.high) + " is out of the range of " +
           std::string(dtype_text(bounds.dtype)));
  }
  return bounds;
}

// 16-bit floats as float32; nothing but float32 besides.
Value* float_input(Builder& b) {
  Value* x = b.in(0);
  if (x->dtype() == DType::kFloat16 || x->dtype() == DType::kBFloat16) {
    return b.cast(x, DType::kFloat32);
  }
  return x->dtype() == DType::kFloat32
             ? x
             : b.fail("input is " + std::string(dtype_text(x->dtype())) + ", not float32");
}

Value* inverse(Builder& b, Value* scales) { return b.unary(Op::reciprocal, scales); }

Value* quantized(Builder& b, Value* scaled, Argument zero_points, const Bounds& bounds,
                 bool round_last) {
  Value* sum = round_last ? b.unary(Op::round, b.add(scaled, std::move(zero_points)))
                          : b.add(b.unary(Op::round, scaled), std::move(zero_points));
  return b.cast(b.clamp(sum, bounds.low, bounds.high), bounds.dtype);
}

// A parameter with one element an index of dimension `axis` of `x`, in a shape that broadcasts.
Value* along(Builder& b, Value* x, Value* parameter, size_t axis) {
  Dims sizes(x->rank(), Dim(1));
  if (parameter->rank() != 1 || axis >= sizes.size()) {
    return b.fail("scales and zero points must have one dimension");
  }
  sizes[axis] = b.size(parameter, 0);
  if (sizes[axis].is_known() && b.size(x, static_cast<int64_t>(axis)).is_known() &&
      !(sizes[axis] == b.size(x, static_cast<int64_t>(axis)))) {
    return b.fail("there are " + sizes[axis].text() + " scales for " +
                  b.size(x, static_cast<int64_t>(axis)).text() + " channels");
  }
  return b.view(parameter, sizes);
}

size_t channel_axis(Builder& b, const Value* x, size_t at) {
  const int64_t axis = b.integer(at);
  const int64_t rank = static_cast<int64_t>(x->rank());
  if (axis >= rank || axis < -rank) {
    b.fail("axis " + std::to_string(axis) + " is out of range for " + std::to_string(rank) +
           " dimensions");
    return 0;
  }
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

// A tensor of one element as one of rank 0.
Value* one(Builder& b, Value* x) { return b.view(x, {}); }

Value* per_tensor(Builder& b, Value* scale, Value* zero_point, const Bounds& bounds) {
  Value* factor = b.cast(inverse(b, b.cast(one(b, scale), DType::kFloat64)), DType::kFloat32);
  return quantized(b, b.mul(float_input(b), factor), b.cast(one(b, zero_point), DType::kFloat32),
                   bounds, false);
}

Value* dequantized_per_tensor(Builder& b, Value* scale, Value* zero_point, DType dtype, DType out) {
  if (b.in(0)->dtype() != dtype) {
    return b.fail("input is " + std::string(dtype_text(b.in(0)->dtype())) + ", dtype says " +
                  std::string(dtype_text(dtype)));
  }
  const DType compute = out == DType::kFloat64 ? out : DType::kFloat32;
  Value* x = b.cast(b.in(0), compute);
  return b.cast(
      b.mul(b.sub(x, b.cast(one(b, zero_point), compute)), b.cast(one(b, scale), compute)), out);
}

// Rows of `x` in groups of `group` elements: [rows * groups, group].
Value* grouped(Builder& b, Value* x, Value* scales, int64_t group) {
  const std::optional<int64_t> columns = b.size(x, -1).known();
  if (x->rank() != 2 || !columns) {
    return b.fail("input must have two dimensions");
  }
  if (group > *columns && b.size(scales, -1) == Dim(1)) {
    group = *columns;
  }
  if (group <= 0 || *columns % group != 0) {
    return b.fail("group size " + std::to_string(group) + " does not divide " +
                  std::to_string(*columns) + " columns");
  }
  return b.view(x, {b.size(x, 0) * Dim(*columns / group), Dim(group)});
}

Value* column(Builder& b, Value* x) { return b.view(x, {numel(x->sizes()), Dim(1)}); }

Value* dequantized_by_group(Builder& b, Value* x, Value* scales, Value* zero_points, int64_t group,
                            DType out) {
  const Dims sizes = x->sizes();
  Value* rows = grouped(b, x, scales, group);
  if (zero_points != nullptr) {
    rows = b.sub(rows, column(b, zero_points));
  }
  return b.cast(b.view(b.mul(rows, column(b, scales)), sizes), out);
}

// Scale and zero point from the extremes, as torch.ao.quantization determines them.
Values chosen(Builder& b, bool symmetric) {
  Value* x = b.in(0);
  if (x->dtype() != DType::kFloat32) {
    return b.unsupported("only float32");
  }
  // dtype stands behind eps here.
  const DType dtype = b.dtype(4, DType::kInt8);
  const int64_t quant_min = b.integer(1), quant_max = b.integer(2);
  if (quant_min >= quant_max || quant_min < low_of(dtype) || quant_max > high_of(dtype)) {
    return b.unsupported("quant_min and quant_max do not fit the dtype");
  }
  const double eps = static_cast<double>(static_cast<float>(b.number(3)));
  const double steps = static_cast<double>(quant_max - quant_min);
  Value* flat = b.view(x, {numel(x->sizes())});
  Value* low = b.clamp(b.amin(flat, {0}, false), Argument(), 0.0);
  Value* high = b.clamp(b.amax(flat, {0}, false), 0.0, Argument());
  Value* scale = symmetric ? b.div(b.maximum(b.unary(Op::neg, low), high), steps / 2)
                           : b.div(b.sub(high, low), steps);
  scale = b.clamp(scale, eps, Argument());
  Value* zero = nullptr;
  if (symmetric) {
    zero = b.scalar(Scalar::of_int(dtype == DType::kUInt8 ? 128 : 0), DType::kInt64);
  } else {
    Value* below = b.cast(b.unary(Op::round, b.div(low, scale)), DType::kInt64);
    zero = b.clamp(b.sub(Argument(quant_min), below), quant_min, quant_max);
  }
  return {b.view(b.cast(scale, DType::kFloat64), {Dim(1)}), b.view(zero, {Dim(1)})};
}

Values chosen_per_token(Builder& b) {
  constexpr int64_t kLow = -128, kHigh = 127;
  Value* x = b.in(0);
  Value* low = b.clamp(b.amin(x, {-1}, true), Argument(), 0.0);
  Value* high = b.clamp(b.amax(x, {-1}, true), 0.0, Argument());
  Value* scale = b.clamp(b.div(b.sub(high, low), static_cast<double>(kHigh - kLow)),
                         1.1920928955078125e-07, Argument());
  Value* scaled_low = b.div(low, scale);
  Value* scaled_high = b.div(high, scale);
  Value* error = b.add(b.add(scaled_low, kLow), b.add(scaled_high, kHigh));
  Value* zero = b.where(b.gt(error, 0), b.sub(Argument(kLow), scaled_low),
                        b.sub(Argument(kHigh), scaled_high));
  zero = b.unary(Op::round, b.clamp(zero, kLow, kHigh));
  return {b.cast(scale, DType::kFloat64), b.cast(zero, DType::kInt64)};
}

// Rows of packed or plain weights for `indices`, made floating. `fields`: how many numbers a byte
// holds.
Value* embedded(Builder& b, int64_t fields) {
  Value* weight = b.in(0);
  Value* scales = b.in(1);
  Value* zero_points = b.in(2);
  Value* indices = b.in(5);
  const int64_t quant_min = b.integer(3);
  if (fields > 1 &&
      (quant_min != -(8 / fields == 2 ? 2 : 8) || b.integer(4) != (8 / fields == 2 ? 1 : 7))) {
    return b.fail("quant_min and quant_max are not those of " + std::to_string(8 / fields) +
                  " bits");
  }
  const DType out = b.node().args().size() > 6 ? b.dtype(6, scales->dtype()) : scales->dtype();
  Value* flat = b.view(indices, {numel(indices->sizes())});
  const auto rows = [&](Value* table) {
    Value* plain = table->rank() == 2 ? table : b.view(table, {b.size(table, 0), Dim(1)});
    return b.call(Op::index_select, {plain, 0, flat});
  };
  Value* picked = rows(weight);
  if (fields > 1) {
    // The first number of a 4-bit pair lies in the high half, the first of four 2-bit ones in the
    // low bits.
    Values parts;
    const int64_t bits = 8 / fields;
    for (int64_t k = 0; k < fields; ++k) {
      const int64_t shift = fields == 2 ? (1 - k) * bits : k * bits;
      Value* moved =
          shift == 0 ? picked : b.call(Op::bitwise_right_shift_tensor_scalar, {picked, shift});
      parts.push_back(b.call(Op::bitwise_and_scalar, {moved, (int64_t{1} << bits) - 1}));
    }
    const Dim n = b.size(picked, 0), width = b.size(picked, 1) * Dim(fields);
    picked = b.add(b.cast(b.view(b.stack(parts, -1), {n, width}), DType::kInt8), quant_min);
  }
  const std::optional<int64_t> width = b.size(picked, 1).known();
  const std::optional<int64_t> groups =
      scales->rank() == 2 ? b.size(scales, 1).known() : std::optional<int64_t>(1);
  if (!width || !groups || *groups == 0) {
    return b.fail("the sizes of weight and scales must be known");
  }
  Value* y = dequantized_by_group(b, picked, rows(scales),
                                  zero_points == nullptr ? nullptr : rows(zero_points),
                                  *width / *groups, out);
  Dims sizes = indices->sizes();
  sizes.push_back(b.size(y, 1));
  return b.view(y, sizes);
}

}  // namespace

Values qd_quantize_per_tensor(Builder& b) {
  const Bounds bounds = bounds_at(b, 3);
  Value* scaled = b.mul(float_input(b), 1.0 / b.number(1));
  return {quantized(b, scaled, b.integer(2), bounds, false)};
}
Values qd_quantize_per_tensor_tensor(Builder& b) {
  return {per_tensor(b, b.in(1), b.in(2), bounds_at(b, 3))};
}
Values qd_quantize_per_tensor_tensor2(Builder& b) {
  Value* scale = b.cast(one(b, b.in(1)), DType::kFloat64);
  Value* scaled = b.mul(float_input(b), b.cast(inverse(b, scale), DType::kFloat32));
  Value* sum = b.add(b.unary(Op::round, scaled), b.cast(one(b, b.in(2)), DType::kFloat32));
  const auto bound = [&](size_t i) { return b.cast(one(b, b.in(i)), DType::kFloat32); };
  return {b.cast(b.minimum(b.maximum(sum, bound(3)), bound(4)), b.dtype(5, DType::kInt8))};
}
Values qd_dequantize_per_tensor(Builder& b) {
  return {dequantized_per_tensor(b, b.scalar(b.number(1), DType::kFloat64),
                                 b.scalar(Scalar::of_int(b.integer(2)), DType::kInt64),
                                 b.dtype(5, DType::kInt8), b.dtype(6, DType::kFloat32))};
}
Values qd_dequantize_per_tensor_tensor(Builder& b) {
  return {dequantized_per_tensor(b, b.in(1), b.in(2), b.dtype(5, DType::kInt8),
                                 b.dtype(6, DType::kFloat32))};
}
Values qd_dequantize_per_tensor_tensor2(Builder& b) { return qd_dequantize_per_tensor_tensor(b); }

Values qd_quantize_per_channel(Builder& b) {
  Value* x = float_input(b);
  const size_t axis = channel_axis(b, x, 3);
  const Bounds bounds = bounds_at(b, 4);
  Value* scaled = b.mul(x, inverse(b, along(b, x, b.in(1), axis)));
  return {quantized(b, scaled, along(b, x, b.in(2), axis), bounds, false)};
}
Values qd_dequantize_per_channel(Builder& b) {
  Value* x = b.in(0);
  if (x->dtype() != b.dtype(6, DType::kInt8)) {
    return b.unsupported("an input of another dtype");
  }
  const size_t axis = channel_axis(b, x, 3);
  Value* difference = b.has(2) ? b.sub(x, along(b, x, b.in(2), axis)) : x;
  return {b.cast(b.mul(difference, along(b, x, b.in(1), axis)), b.dtype(7, DType::kFloat32))};
}
Values qd_fake_quant_per_channel(Builder& b) {
  Value* x = float_input(b);
  const size_t axis = channel_axis(b, x, 3);
  Value* scales = along(b, x, b.cast(b.in(1), DType::kFloat32), axis);
  Value* zero_points = along(b, x, b.cast(b.in(2), DType::kInt32), axis);
  Value* sum = b.add(b.unary(Op::round, b.mul(x, inverse(b, scales))), zero_points);
  Value* clamped = b.clamp(sum, b.integer(4), b.integer(5));
  return {b.mul(b.sub(clamped, zero_points), scales)};
}

Values qd_quantize_per_channel_group(Builder& b) {
  const Bounds bounds = bounds_at(b, 3);
  const int64_t group = b.integer(6);
  if (group <= 1) {
    return b.unsupported("group_size must be above 1");
  }
  Value* scaled = b.mul(grouped(b, b.in(0), b.in(1), group), inverse(b, column(b, b.in(1))));
  Value* zero = b.has(2) ? column(b, b.in(2)) : b.scalar(Scalar::of_int(0), DType::kInt32);
  return {b.view(quantized(b, scaled, zero, bounds, true), b.in(0)->sizes())};
}
Values qd_dequantize_per_channel_group(Builder& b) {
  return {dequantized_by_group(b, b.in(0), b.in(1), b.in(2), b.integer(6),
                               b.dtype(7, DType::kFloat32))};
}

Values qd_quantize_per_token(Builder& b) {
  const Bounds bounds = bounds_at(b, 3);
  return {quantized(b, b.mul(b.in(0), inverse(b, b.in(1))), b.in(2), bounds, true)};
}
Values qd_dequantize_per_token(Builder& b) {
  return {b.cast(b.mul(b.sub(b.in(0), b.in(2)), b.in(1)), b.dtype(6, DType::kFloat32))};
}

Values qd_choose_qparams_tensor(Builder& b) { return chosen(b, false); }
Values qd_choose_qparams_symmetric_tensor(Builder& b) { return chosen(b, true); }
Values qd_choose_qparams_per_token_asymmetric(Builder& b) { return chosen_per_token(b); }
Values qd_choose_qparams_per_token_asymmetric_impl(Builder& b) { return chosen_per_token(b); }
Values qd_choose_qparams_per_token(Builder& b) {
  Value* scale = b.amax(b.unary(Op::abs, b.in(0)), {-1}, true);
  if (scale->dtype() == DType::kFloat16) {
    scale = b.cast(scale, DType::kFloat32);
  }
  scale = b.div(b.clamp(scale, 1e-5, Argument()), 127);
  return {scale, b.full(scale->sizes(), 0.0, scale->dtype())};
}

Values qd_embedding_byte(Builder& b) { return {embedded(b, 1)}; }
Values qd_embedding_byte_dtype(Builder& b) { return {embedded(b, 1)}; }
Values qd_embedding_4bit(Builder& b) { return {embedded(b, 2)}; }
Values qd_embedding_4bit_dtype(Builder& b) { return {embedded(b, 2)}; }
Values qd_embedding_2bit(Builder& b) { return {embedded(b, 4)}; }
Values qd_embedding_2bit_dtype(Builder& b) { return {embedded(b, 4)}; }
Values qd_convert_element_type_no_fuse(Builder& b) {
  return {b.cast(b.in(0), b.dtype(1, b.in(0)->dtype()))};
}

namespace {

// A tensor in blocks that share a scale: sizes with each dimension of several blocks split, the
// same with 1 for what lies in a block, and the dimensions that lie in one.
struct Blocks {
  Dims split;
  Dims kept;
  Ints inner;
};

Blocks blocks_of(Builder& b, const Value* x, const Dims& block) {
  Blocks blocks;
  if (block.size() != x->rank()) {
    b.fail("there must be a block size for each dimension");
    return blocks;
  }
  for (size_t d = 0; d < block.size(); ++d) {
    const Dim size = x->sizes()[d];
    const bool whole = block[d] == size || block[d] == Dim(-1);
    if (!whole && !(block[d] == Dim(1))) {
      const int64_t length = block[d].known().value_or(0);
      if (length <= 0 || size.known().value_or(length) % length != 0) {
        b.fail("blocks of " + block[d].text() + " do not divide a dimension of " + size.text());
        return blocks;
      }
      blocks.split.push_back(ir::floor_div(size, length));
      blocks.kept.push_back(blocks.split.back());
    }
    const bool inner = !(block[d] == Dim(1));
    if (inner) {
      blocks.inner.push_back(static_cast<int64_t>(blocks.split.size()));
    }
    blocks.split.push_back(whole || !inner ? size : block[d]);
    blocks.kept.push_back(inner ? Dim(1) : size);
  }
  return blocks;
}

// The argument that bounds numbers, or the bound of the dtype.
Argument bound_or(Builder& b, size_t i, int64_t otherwise) {
  return b.has(i) ? b.node().arg(i) : Argument(otherwise);
}

}  // namespace

// (input, mapping_type, block_size, target_dtype, quant_min?, quant_max?, eps?, ...)
Values torchao_choose_qparams_affine(Builder& b) {
  Value* x = b.in(0);
  const std::string mapping = b.node().arg(1).string();
  const DType dtype = b.dtype(3, DType::kInt8);
  const double low = bound_or(b, 4, low_of(dtype)).number();
  const double high = bound_or(b, 5, high_of(dtype)).number();
  const double eps = b.has(6)                         ? b.number(6)
                     : x->dtype() == DType::kFloat16  ? 0x1p-10
                     : x->dtype() == DType::kBFloat16 ? 0x1p-7
                     : x->dtype() == DType::kFloat64  ? 0x1p-52
                                                      : 0x1p-23;
  const Blocks blocks = blocks_of(b, x, b.dims(2));
  x = b.view(x, blocks.split);
  Value* least = blocks.inner.empty() ? x : b.amin(x, blocks.inner, true);
  Value* most = blocks.inner.empty() ? x : b.amax(x, blocks.inner, true);
  least = b.clamp(least, Argument(), 0.0);
  most = b.clamp(most, 0.0, Argument());
  const bool asymmetric = mapping == "ASYMMETRIC";
  Value* scale = nullptr;
  if (asymmetric) {
    scale = b.div(b.sub(most, least), high - low);
  } else if (mapping == "SYMMETRIC") {
    scale = b.div(b.maximum(b.unary(Op::neg, least), most), (high - low) / 2);
  } else if (mapping == "SYMMETRIC_NO_CLIPPING_ERR") {
    scale = b.maximum(b.div(least, low), b.div(most, high));
  } else {
    return b.unsupported("mapping_type '" + mapping + "'");
  }
  scale = b.clamp(scale, eps, Argument());
  Value* zero =
      asymmetric ? b.clamp(b.sub(Argument(low), b.unary(Op::round, b.div(least, scale))), low, high)
                 : b.full(scale->sizes(), std::trunc((high + low + 1) / 2), scale->dtype());
  return {b.view(scale, b.out(0).sizes), b.view(zero, b.out(1).sizes)};
}

// (input, block_size, scale, zero_point?, output_dtype, quant_min?, quant_max?)
Values torchao_quantize_affine(Builder& b) {
  Value* x = b.in(0);
  const DType dtype = b.dtype(4, DType::kInt8);
  const Blocks blocks = blocks_of(b, x, b.dims(1));
  Value* scaled = b.mul(b.view(x, blocks.split), inverse(b, b.view(b.in(2), blocks.kept)));
  Value* y = b.unary(Op::round, scaled);
  if (b.has(3)) {
    y = b.add(y, b.view(b.in(3), blocks.kept));
  }
  y = b.clamp(y, bound_or(b, 5, low_of(dtype)), bound_or(b, 6, high_of(dtype)));
  return {b.cast(b.view(y, x->sizes()), dtype)};
}

// (input, block_size, scale, zero_point?, input_dtype, quant_min?, quant_max?, output_dtype)
Values torchao_dequantize_affine(Builder& b) {
  Value* x = b.in(0);
  const DType dtype = b.dtype(7, DType::kFloat32);
  const Blocks blocks = blocks_of(b, x, b.dims(1));
  Value* y = b.cast(b.view(x, blocks.split), DType::kInt32);
  if (b.has(3)) {
    y = b.sub(y, b.cast(b.view(b.in(3), blocks.kept), DType::kInt32));
  }
  y = b.mul(b.cast(y, dtype), b.view(b.in(2), blocks.kept));
  return {b.cast(b.view(y, x->sizes()), dtype)};
}

}  // namespace cresset::passes::decompositions
