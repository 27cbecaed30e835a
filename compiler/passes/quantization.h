// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "compiler/ir/graph.h"
#include "compiler/passes/constant_numbers.h"

// What quantize and dequantize nodes (quantized_decomposed::*) say about tensors.
namespace cresset::passes {

// Integers q of `dtype` that stand for (q - zero) * scale; only [min, max] occurs.
struct Quantization {
  double scale = 1;
  int64_t zero = 0;
  int64_t min = -128;
  int64_t max = 127;
  DType dtype = DType::kInt8;

  // The integer that stands for the number best, within [min, max]. Not for NaN.
  int64_t nearest(double number) const;
  double number(int64_t integer) const { return static_cast<double>(integer - zero) * scale; }
};
// Whether both read the same integers as the same numbers.
inline bool same_numbers(const Quantization& a, const Quantization& b) {
  return a.scale == b.scale && a.zero == b.zero && a.dtype == b.dtype;
}

// A tensor of integers and what they stand for.
struct QuantizedValue {
  ir::Value* value = nullptr;
  Quantization is;
};

// The arguments of a quantize_per_tensor or dequantize_per_tensor node with plain numbers; nothing
// for any other.
std::optional<Quantization> read_quantization(const ir::Node& node);
// What a float32 value was before quantized_decomposed::dequantize_per_tensor made it one.
std::optional<QuantizedValue> before_dequantize(const ir::Value* value);

// Constant weights: int8 around 0, in the order of memory that `numbers->type` tells.
struct QuantizedWeight {
  ir::ConstantPtr numbers;
  Doubles scales;  // one, or one an index of dimension `axis`
  size_t axis = 0;
};
// The weights that a value is made from by a dequantize per tensor or per channel, and permutations
// behind it. Zero points go where the shifted numbers still fit int8. On failure `why` says what is
// in the way.
std::optional<QuantizedWeight> read_weight(const ir::Value* value, std::string* why);

// The same weights with dimension d where dimension order[d] was.
QuantizedWeight permuted(const QuantizedWeight& weight, const std::vector<int64_t>& order);

// The numbers of a constant, or of integers that are dequantized per tensor or per channel; nothing
// for any other value.
std::optional<Doubles> read_dequantized(const ir::Value* value);

}  // namespace cresset::passes
