// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/passes/integer_rules.h"
#include "compiler/passes/look_up.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

bool only_use(const ir::Graph& graph, const Value* value) {
  return value->users().size() == 1 && graph.output_uses(value) == 0;
}

// Scales and zero points that come as constant tensors become plain numbers.
void make_plain(Node* node) {
  const bool quantizes = node->op() == Op::qd_quantize_per_tensor_tensor ||
                         node->op() == Op::qd_quantize_per_tensor_tensor2;
  if (!quantizes && node->op() != Op::qd_dequantize_per_tensor_tensor &&
      node->op() != Op::qd_dequantize_per_tensor_tensor2) {
    return;
  }
  std::vector<Argument> args = node->args();
  for (size_t i = 1; i < 5; ++i) {
    if (!args[i].is_value()) {
      continue;
    }
    const std::optional<Doubles> number = read_numbers(args[i].value());
    if (!number || number->size() != 1) {
      return;
    }
    args[i] = i == 1 ? Argument(number->front()) : Argument(static_cast<int64_t>(number->front()));
  }
  node->set_op(ops::op_info(quantizes ? Op::qd_quantize_per_tensor : Op::qd_dequantize_per_tensor),
               std::move(args));
}

// One quantize where there are several alike.
void share_quantizes(ir::Graph& graph) {
  std::map<const Value*, std::vector<Node*>> seen;
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = (it++)->get();
    make_plain(node);
    if (node->op() != Op::qd_quantize_per_tensor) {
      continue;
    }
    std::vector<Node*>& others = seen[node->arg(0).value()];
    const auto same = std::find_if(others.begin(), others.end(), [&](const Node* other) {
      return other->args() == node->args();
    });
    if (same == others.end()) {
      others.push_back(node);
    } else {
      graph.replace_uses(node->result(), (*same)->result());
      graph.erase(node);
    }
  }
}

// The bounds that a clamp keeps its argument within; false for any other operator.
bool read_clamp(const Node& node, double* low, double* high) {
  *low = -HUGE_VAL;
  *high = HUGE_VAL;
  const auto bound = [&](size_t i, double* value) {
    if (node.arg(i).is_none()) {
      return true;
    }
    if (!node.arg(i).is_number()) {
      return false;
    }
    *value = node.arg(i).number();
    return true;
  };
  switch (node.op()) {
    case Op::relu:
      *low = 0;
      return true;
    case Op::relu6:
      *low = 0;
      *high = 6;
      return true;
    case Op::clamp:
    case Op::hardtanh:
      return bound(1, low) && bound(2, high) && *low <= *high;
    case Op::clamp_min:
      return bound(1, low);
    case Op::clamp_max:
      return bound(1, high);
    default:
      return false;
  }
}

class Fuser {
 public:
  explicit Fuser(const PassContext& context) : context_(context) {}

  ir::Error run(ir::Graph& graph) {
    share_quantizes(graph);
    for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
      Node* node = (it++)->get();
      if (ir::Error failure = for_each_body(*node, [&](ir::Graph& body) { return run(body); })) {
        return failure;
      }
      if (ir::Error failure = node->op() == Op::qd_quantize_per_tensor
                                  ? replace_quantize(graph, node)
                                  : replace_float(graph, node)) {
        return failure;
      }
    }
    return {};
  }

  // Which operators beside a dequantize or quantize stay, and why.
  void report(const ir::Graph& graph) const {
    for (const auto& node : graph.nodes()) {
      static_cast<void>(for_each_body(*node, [&](ir::Graph& body) {
        report(body);
        return ir::Error();
      }));
      if (touches_integers(*node)) {
        const auto found = reasons_.find(node->result(0)->name);
        context_.stays_float(*node, found == reasons_.end() ? "" : found->second);
      }
    }
  }

 private:
  static bool is_border(const Node& node) {
    return node.op() == Op::qd_quantize_per_tensor || node.op() == Op::qd_dequantize_per_tensor ||
           node.op() == Op::qd_dequantize_per_channel;
  }

  static bool touches_integers(const Node& node) {
    if (is_border(node)) {
      return false;
    }
    bool touches = false;
    node.for_each_value([&](const Value* value) {
      touches = touches || (value->producer() != nullptr && is_border(*value->producer()) &&
                            value->producer()->op() != Op::qd_quantize_per_tensor);
    });
    for (const Value* result : node.results()) {
      for (const Node* user : result->users()) {
        touches = touches || user->op() == Op::qd_quantize_per_tensor;
      }
    }
    return touches;
  }

  // The operator in front of a quantize, past clamps, which narrow the range instead. Null: `why`.
  static Node* find_operator(const ir::Graph& graph, const Value* x, Quantization* y,
                             std::string* why) {
    for (;;) {
      Node* node = x->producer();
      if (node == nullptr) {
        return nullptr;
      }
      if (!only_use(graph, x)) {
        *why = "its result is used in other terms, too";
        return node;
      }
      double low, high;
      if (!read_clamp(*node, &low, &high)) {
        return node;
      }
      const int64_t least = y->nearest(low), greatest = y->nearest(high);
      y->min = std::max(y->min, least);
      y->max = std::min(y->max, greatest);
      x = node->arg(0).value();
    }
  }

  ir::Error replace_quantize(ir::Graph& graph, Node* node) {
    std::optional<Quantization> y = read_quantization(*node);
    if (!y) {
      return {};
    }
    const Value* x = node->arg(0).value();
    if (const std::optional<QuantizedValue> before = before_dequantize(x)) {
      Builder b(graph, node, node);
      return put(graph, node, b, requantized(b, *before, *y));
    }
    const ir::Expected<Value*> found = look_up(graph, context_, node);
    if (!found.ok()) {
      return found.error();
    }
    if (*found != nullptr) {
      graph.replace_uses(node->result(), *found);
      graph.erase(node);
      return {};
    }
    std::string why;
    Node* op = find_operator(graph, x, &*y, &why);
    const QuantizedRule rule = op == nullptr ? nullptr : find_quantized_rule(op->op());
    if (rule == nullptr || !why.empty()) {
      refuse(op, why.empty() ? "there is no integer form of it" : why);
      return {};
    }
    IntegerSite site(graph, node, op);
    Value* result = rule(site, *y);
    if (site.refused()) {
      refuse(op, site.refusal());
      return {};
    }
    return put(graph, node, site.b, result);
  }

  // What does the same on integers goes in front of the dequantize.
  ir::Error replace_float(ir::Graph& graph, Node* node) {
    const FloatRule rule = find_float_rule(node->op());
    if (rule == nullptr && !passes_integers(node->op())) {
      return {};
    }
    IntegerSite site(graph, node, node);
    const Values made = rule != nullptr ? rule(site) : passed(site);
    if (site.refused()) {
      refuse(node, site.refusal());
      return {};
    }
    if (site.b.error()) {
      return site.b.error();
    }
    for (size_t i = 0; i < made.size(); ++i) {
      graph.replace_uses(node->result(i), made[i]);
    }
    if (!made.empty()) {
      graph.erase(node);
    }
    return {};
  }

  static ir::Error put(ir::Graph& graph, Node* node, const Builder& b, Value* result) {
    if (b.error()) {
      return b.error();
    }
    graph.replace_uses(node->result(), result);
    graph.erase(node);
    return {};
  }

  void refuse(const Node* node, const std::string& why) {
    if (node != nullptr) {
      reasons_.emplace(node->result(0)->name, why);
    }
  }

  // The operator on the integers of its operands, dequantized behind it; nothing where none is
  // quantized.
  static Values passed(IntegerSite& site);

  const PassContext& context_;
  std::map<std::string, std::string> reasons_;  // by the name of the first result
};

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

Argument on_integers(const Argument& argument) {
  if (argument.is_list()) {
    ArgumentList items;
    for (const Argument& item : argument.list()) {
      items.push_back(on_integers(item));
    }
    return items;
  }
  const bool floating = is_tensor(argument) && !is_integral(argument.value()->dtype());
  return floating ? Argument(before_dequantize(argument.value())->value) : argument;
}

Values Fuser::passed(IntegerSite& site) {
  const Node& node = site.node();
  std::optional<Quantization> x = Operands(node).common();
  if (!x) {
    return {};
  }
  std::vector<Argument> args;
  for (size_t i = 0; i < node.args().size(); ++i) {
    args.push_back(on_integers(node.arg(i)));
    if (node.schema().args[i].name == "value") {  // what new elements are
      const double number = args[i].is_number() ? args[i].number() : 0.0;
      const int64_t integer = x->nearest(number);
      if (args[i].is_value() || x->number(integer) != number) {
        site.refuse("the value of its new elements is not among the quantized ones");
        return {};
      }
      const bool floating = node.schema().args[i].type == ops::TypeTag::kFloat;
      args[i] = floating ? Argument(static_cast<double>(integer)) : Argument(integer);
    }
  }
  std::vector<Type> types;
  for (const Value* result : node.results()) {
    types.push_back(result->type);
    if (result->is_tensor() && !is_integral(result->dtype())) {
      types.back().tensor.dtype = x->dtype;
    }
  }
  Builder& b = site.b;
  Values made = b.typed_calls(node.op(), std::move(args), std::move(types));
  for (size_t i = 0; i < made.size(); ++i) {
    if (node.result(i)->is_tensor() && !is_integral(node.result(i)->dtype())) {
      made[i] = b.call(Op::qd_dequantize_per_tensor,
                       {made[i], x->scale, x->zero, x->min, x->max, x->dtype});
    }
  }
  return made;
}

}  // namespace

ir::Error fuse_integer_ops(ir::Graph& graph, const PassContext& context) {
  if (!context.has_integer_rows) {
    return {};
  }
  Fuser fuser(context);
  if (ir::Error failure = fuser.run(graph)) {
    return failure;
  }
  if (ir::Error failure = eliminate_dead_code(graph, context)) {
    return failure;
  }
  if (context.stays_float) {
    fuser.report(graph);
  }
  return {};
}

}  // namespace cresset::passes
