// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/integer_rules.h"

// Sums and products of two tensors; what moves elements of several.
namespace cresset::passes::integer_rules {

namespace {

Value* paired(IntegerSite& site, Op op, double sign, const Quantization& y) {
  const QuantizedValue left = site.x(0), right = site.x(1);
  if (site.refused()) {
    return nullptr;
  }
  std::vector<Argument> args{left.value,   right.value,           left.is.scale,
                             left.is.zero, right.is.scale * sign, right.is.zero};
  append(y, &args);
  args.push_back(ArgumentList());
  args.push_back(dtype_argument(y, left.value));
  return site.b.call(op, std::move(args));
}

}  // namespace

Value* sum(IntegerSite& site, const Quantization& y) {
  const Argument& alpha = site.node().arg("alpha");
  if (!alpha.is_number()) {
    return site.refuse("alpha is not constant");
  }
  return paired(site, Op::qadd,
                site.node().op() == Op::sub_tensor ? -alpha.number() : alpha.number(), y);
}

Value* multiplied(IntegerSite& site, const Quantization& y) { return paired(site, Op::qmul, 1, y); }

namespace {

// The argument with its floating tensors in y's terms.
Argument in_terms_of(IntegerSite& site, const Argument& argument, const Quantization& y,
                     bool* any) {
  if (argument.is_list()) {
    ArgumentList items;
    for (const Argument& item : argument.list()) {
      items.push_back(in_terms_of(site, item, y, any));
    }
    return items;
  }
  if (!is_tensor(argument) || is_integral(argument.value()->dtype())) {
    return argument;
  }
  Builder& b = site.b;
  if (const std::optional<QuantizedValue> x = before_dequantize(argument.value())) {
    *any = true;
    return requantized(b, *x, y);
  }
  return b.call(Op::qd_quantize_per_tensor,
                {argument.value(), y.scale, y.zero, y.min, y.max, y.dtype});
}

}  // namespace

// Elements stay what they are, and quantizing keeps their order: so it may come first.
Value* joined(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  std::vector<Argument> args;
  bool any = false;
  for (const Argument& argument : node.args()) {
    args.push_back(in_terms_of(site, argument, y, &any));
  }
  if (!any) {
    return site.refuse("no operand is quantized per tensor");
  }
  TensorType type = node.result()->tensor();
  type.dtype = y.dtype;
  return site.b.typed(node.op(), std::move(args), type);
}

}  // namespace cresset::passes::integer_rules
