// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/passes/integer_rules.h"
#include "compiler/passes/look_up.h"
#include "compiler/passes/move_integers.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

// Whether nothing needs the node any more: what used it has been replaced.
bool is_dead(const ir::Graph& graph, const Node& node) {
  bool used = node.results().empty();
  for (const Value* result : node.results()) {
    used = used || graph.output_uses(result) != 0 ||
           std::any_of(result->users().begin(), result->users().end(),
                       [&](const Node* user) { return !is_dead(graph, *user); });
  }
  return !used;
}

bool only_use(const ir::Graph& graph, const Value* value) {
  const auto live = [&](const Node* user) { return !is_dead(graph, *user); };
  return graph.output_uses(value) == 0 &&
         std::count_if(value->users().begin(), value->users().end(), live) == 1;
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
      Node* node = it->get();
      if (ir::Error failure = for_each_body(*node, [&](ir::Graph& body) { return run(body); })) {
        return failure;
      }
      const bool first = it == graph.nodes().begin();
      const auto last = first ? it : std::prev(it);
      const ir::Expected<bool> replaced = node->op() == Op::qd_quantize_per_tensor
                                              ? replace_quantize(graph, node)
                                              : replace_float(graph, node);
      if (!replaced.ok()) {
        return replaced.error();
      }
      // What has come in its place is looked at as well.
      it = !*replaced ? std::next(it) : first ? graph.nodes().begin() : std::next(last);
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
    if (is_border(node) || node.results().empty()) {
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

  ir::Expected<bool> replace_quantize(ir::Graph& graph, Node* node) {
    std::optional<Quantization> y = read_quantization(*node);
    if (!y) {
      return false;
    }
    const Value* x = node->arg(0).value();
    if (const std::optional<QuantizedValue> before = before_dequantize(x)) {
      Builder b(graph, node, node);
      return put(graph, node, b, {requantized(b, *before, *y)});
    }
    const ir::Expected<Value*> found = look_up(graph, context_, node);
    if (!found.ok()) {
      return found.error();
    }
    if (*found != nullptr) {
      return put(graph, node, Builder(graph, node, node), {*found});
    }
    std::string why;
    Node* op = find_operator(graph, x, &*y, &why);
    if (op == nullptr) {
      return false;
    }
    const QuantizedRule rule = find_quantized_rule(op->op());
    if (!why.empty() || (rule == nullptr && !passes_integers(op->op()))) {
      return refuse(op, why.empty() ? "there is no integer form of it" : why);
    }
    IntegerSite site(graph, node, op);
    Value* result = rule != nullptr ? rule(site, *y) : quantize_first(site, *y);
    return site.refused() ? refuse(op, site.refusal()) : put(graph, node, site.b, {result});
  }

  ir::Expected<bool> replace_float(ir::Graph& graph, Node* node) {
    const FloatRule rule = find_float_rule(node->op());
    if (rule == nullptr && !passes_integers(node->op())) {
      return false;
    }
    IntegerSite site(graph, node, node);
    const Values made = rule != nullptr ? rule(site) : move_integers(site);
    return site.refused() ? refuse(node, site.refusal()) : put(graph, node, site.b, made);
  }

  // Whether there is anything to put in place of the node's results.
  static ir::Expected<bool> put(ir::Graph& graph, Node* node, const Builder& b,
                                const Values& results) {
    if (b.error()) {
      return b.error();
    }
    for (size_t i = 0; i < results.size(); ++i) {
      graph.replace_uses(node->result(i), results[i]);
    }
    if (!results.empty()) {
      graph.erase(node);
    }
    return !results.empty();
  }

  bool refuse(const Node* node, const std::string& why) {
    reasons_.emplace(node->result(0)->name, why);
    return false;
  }

  const PassContext& context_;
  std::map<std::string, std::string> reasons_;  // by the name of the first result
};

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
