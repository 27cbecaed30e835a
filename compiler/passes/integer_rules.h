// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "compiler/passes/builder.h"
#include "compiler/passes/quantization.h"

// How fuse_integer_ops turns an operator between dequantize and quantize into an integer row:
// one small function an operator, listed in integer_rules.def.
namespace cresset::passes {

// An operator that computes on dequantized numbers. New nodes go in front of it, or of the quantize
// behind it. What a rule reads it has checked; the first refusal counts.
class IntegerSite {
 public:
  IntegerSite(ir::Graph& graph, Node* before, Node* node) : b(graph, before, node), node_(node) {}

  Builder b;

  const Node& node() const { return *node_; }
  // Argument i as int8 or uint8; refuses where it is not quantized per tensor.
  QuantizedValue x(size_t i);
  // Argument i as weights.
  QuantizedWeight weight(size_t i);

  // Says why there is no integer form. Gives null, for `return site.refuse(...)`.
  Value* refuse(const std::string& why);
  const std::string& refusal() const { return refusal_; }
  bool refused() const { return !refusal_.empty(); }

 private:
  Node* node_;
  std::string refusal_;
};

// Gives the operator's result as integers that `y` describes: of its dtype, within its bounds (what
// is clamped between operator and quantize is in them already). Null, or what is made after a
// refusal or a builder's error, counts as none.
using QuantizedRule = Value* (*)(IntegerSite& site, const Quantization& y);
// Gives values in place of the node's results, which are not quantized again: float ones, or none
// after a refusal.
using FloatRule = Values (*)(IntegerSite& site);

// Null where there is none.
QuantizedRule find_quantized_rule(Op op);
FloatRule find_float_rule(Op op);
// Whether a composite computes each element from the element at its place alone, as rows with the
// trait kElementwise do.
bool is_elementwise_composite(Op op);
// Whether the operator moves elements, or chooses among them by their order: on integers it does
// the same as on the numbers that they stand for.
bool passes_integers(Op op);

namespace integer_rules {
#define QUANTIZED_RULE(op, function) Value* function(IntegerSite& site, const Quantization& y);
#define FLOAT_RULE(op, function) Values function(IntegerSite& site);
#define PASSES(op)
#define ELEMENTWISE(op)
#include "compiler/passes/integer_rules.def"
#undef QUANTIZED_RULE
#undef FLOAT_RULE
#undef PASSES
#undef ELEMENTWISE
}  // namespace integer_rules

// -- What rules share.

// The arguments y_scale, y_zero, y_min, y_max.
void append(const Quantization& y, std::vector<Argument>* args);
// The argument `dtype` of a row: y's, or None where it is that of `like`.
Argument dtype_argument(const Quantization& y, const Value* like);
// The integers in y's terms: as they are, clamped, or requantized.
Value* requantized(Builder& b, const QuantizedValue& x, const Quantization& y);

}  // namespace cresset::passes
