// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/integer_rules.h"

#include <algorithm>

namespace cresset::passes {

QuantizedRule find_quantized_rule(Op op) {
  switch (op) {
#define QUANTIZED_RULE(id, function) \
  case Op::id:                       \
    return integer_rules::function;
#define FLOAT_RULE(id, function)
#define PASSES(id)
#define ELEMENTWISE(id)
#include "compiler/passes/integer_rules.def"
#undef QUANTIZED_RULE
#undef FLOAT_RULE
    default:
      return nullptr;
  }
}

FloatRule find_float_rule(Op op) {
  switch (op) {
#define QUANTIZED_RULE(id, function)
#define FLOAT_RULE(id, function) \
  case Op::id:                   \
    return integer_rules::function;
#include "compiler/passes/integer_rules.def"
#undef FLOAT_RULE
#undef PASSES
    default:
      return nullptr;
  }
}

bool passes_integers(Op op) {
  switch (op) {
#define FLOAT_RULE(id, function)
#define PASSES(id) case Op::id:
#include "compiler/passes/integer_rules.def"
#undef PASSES
#undef ELEMENTWISE
    return true;
    default:
      return false;
  }
}

bool is_elementwise_composite(Op op) {
  switch (op) {
#define PASSES(id)
#define ELEMENTWISE(id) case Op::id:
#include "compiler/passes/integer_rules.def"
#undef QUANTIZED_RULE
#undef FLOAT_RULE
#undef PASSES
#undef ELEMENTWISE
    return true;
    default:
      return false;
  }
}

Value* IntegerSite::refuse(const std::string& why) {
  if (refusal_.empty()) {
    refusal_ = why;
  }
  return nullptr;
}

QuantizedValue IntegerSite::x(size_t i) {
  const std::string name(node_->schema().args[i].name);
  if (!is_tensor(node_->arg(i))) {
    refuse("'" + name + "' is no tensor");
    return {};
  }
  const std::optional<QuantizedValue> found = before_dequantize(node_->arg(i).value());
  if (!found || dtype_bytes(found->is.dtype) != 1) {
    refuse("'" + name + "' is not quantized to 8 bits per tensor");
    return {};
  }
  return *found;
}

QuantizedWeight IntegerSite::weight(size_t i) {
  std::string why;
  const std::optional<QuantizedWeight> found = read_weight(node_->arg(i).value(), &why);
  if (!found) {
    refuse("'" + std::string(node_->schema().args[i].name) + "' is " + why);
    return {};
  }
  return *found;
}

void append(const Quantization& y, std::vector<Argument>* args) {
  args->insert(args->end(), {y.scale, y.zero, y.min, y.max});
}

Argument dtype_argument(const Quantization& y, const Value* like) {
  return y.dtype == like->dtype() ? Argument() : Argument(y.dtype);
}

Value* requantized(Builder& b, const QuantizedValue& x, const Quantization& y) {
  if (same_numbers(x.is, y)) {
    return y.min <= x.is.min && y.max >= x.is.max ? x.value : b.clamp(x.value, y.min, y.max);
  }
  std::vector<Argument> args{x.value, x.is.scale, x.is.zero};
  append(y, &args);
  args.push_back(ArgumentList());
  args.push_back(dtype_argument(y, x.value));
  return b.call(Op::requantize, std::move(args));
}

}  // namespace cresset::passes
