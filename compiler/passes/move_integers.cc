// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/move_integers.h"

#include <algorithm>
#include <cmath>

namespace cresset::passes {

namespace {

// The floating tensors among a node's arguments are all dequantized alike.
class Operands {
 public:
  explicit Operands(const Node& node) {
    node.for_each_value([&](const Value* value) {
      if (!value->is_tensor() || is_integral(value->dtype())) {
        return;
      }
      const std::optional<QuantizedValue> x = before_dequantize(value);
      if (!x) {
        alike_ = false;
        return;
      }
      alike_ = alike_ && (!is_ || same_numbers(*is_, x->is));
      if (is_) {
        is_->min = std::min(is_->min, x->is.min);
        is_->max = std::max(is_->max, x->is.max);
      } else {
        is_ = x->is;
      }
      changes_ = changes_ || x->value->origin() != Value::Origin::kConstant;
    });
    node.for_each_value([&](const Value* value) {
      changes_ = changes_ || (value->origin() != Value::Origin::kConstant &&
                              is_integral(value->dtype()) && value->is_tensor());
    });
  }

  // Nothing where there are none, where they differ, or where all of them are constant: those keep
  // the form of weights.
  std::optional<Quantization> common() const { return alike_ && changes_ ? is_ : std::nullopt; }

 private:
  std::optional<Quantization> is_;
  bool alike_ = true, changes_ = false;
};

bool is_floating(const Argument& argument) {
  return is_tensor(argument) && !is_integral(argument.value()->dtype());
}

// The argument with f(value) in place of each floating tensor.
template <class F>
Argument replaced(const Argument& argument, F&& f) {
  if (!argument.is_list()) {
    return is_floating(argument) ? Argument(f(argument.value())) : argument;
  }
  ArgumentList items;
  for (const Argument& item : argument.list()) {
    items.push_back(replaced(item, f));
  }
  return items;
}

// The operator's arguments with f(value) in place of each floating tensor, and the number that new
// elements get as an integer of `y`. Where it must be `exact`, other numbers are refused.
template <class F>
std::vector<Argument> arguments(IntegerSite& site, const Quantization& y, bool exact, F&& f) {
  const Node& node = site.node();
  std::vector<Argument> args;
  for (size_t i = 0; i < node.args().size(); ++i) {
    Argument argument = node.arg(i);
    const bool adds_elements = node.op() != Op::pad || node.arg("mode").string() == "constant";
    if (node.schema().args[i].name == "value" && adds_elements) {
      const double number = argument.is_number() ? argument.number() : 0.0;
      if (argument.is_value() || std::isnan(number) ||
          (exact && y.number(y.nearest(number)) != number)) {
        site.refuse("the value of its new elements is not among the quantized ones");
        return {};
      }
      const bool floating = node.schema().args[i].type == ops::TypeTag::kFloat;
      const int64_t integer = y.nearest(number);
      argument = floating ? Argument(static_cast<double>(integer)) : Argument(integer);
    }
    args.push_back(replaced(argument, f));
  }
  return args;
}

std::vector<Type> result_types(const Node& node, DType dtype) {
  std::vector<Type> types;
  for (const Value* result : node.results()) {
    types.push_back(result->type);
    if (is_floating(node.result(types.size() - 1))) {
      types.back().tensor.dtype = dtype;
    }
  }
  return types;
}

}  // namespace

Values move_integers(IntegerSite& site) {
  const Node& node = site.node();
  const std::optional<Quantization> x = Operands(node).common();
  if (!x) {
    return {};
  }
  std::vector<Argument> args =
      arguments(site, *x, true, [](const Value* value) { return before_dequantize(value)->value; });
  if (site.refused()) {
    return {};
  }
  Builder& b = site.b;
  Values made = b.typed_calls(node.op(), std::move(args), result_types(node, x->dtype));
  for (size_t i = 0; i < made.size(); ++i) {
    if (is_floating(node.result(i))) {
      made[i] = b.call(Op::qd_dequantize_per_tensor,
                       {made[i], x->scale, x->zero, x->min, x->max, x->dtype});
    }
  }
  return made;
}

Value* quantize_first(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  Builder& b = site.b;
  if (node.results().size() != 1) {
    return site.refuse("it has several results");
  }
  std::vector<Argument> args = arguments(site, y, false, [&](Value* value) {
    const std::optional<QuantizedValue> x = before_dequantize(value);
    return x ? requantized(b, *x, y)
             : b.call(Op::qd_quantize_per_tensor, {value, y.scale, y.zero, y.min, y.max, y.dtype});
  });
  return site.refused() ? nullptr
                        : b.typed_calls(node.op(), std::move(args), result_types(node, y.dtype))[0];
}

}  // namespace cresset::passes
