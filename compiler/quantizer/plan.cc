// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/plan.h"

#include <algorithm>

namespace cresset::quantizer {

namespace {

using Kind = Rule::Kind;
using ir::Node;
using ir::Value;

std::string qualified_name(const Node& node) {
  const ops::OpInfo& info = node.info();
  return std::string(info.name) + (info.overload.empty() ? "" : "." + std::string(info.overload));
}

// "conv2d" of "aten::conv2d".
std::string short_name(const Node& node) {
  const std::string name(node.info().name);
  const size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

bool is_float(const Value* value) { return value->is_tensor() && is_floating(value->dtype()); }

class Planner {
 public:
  Planner(ir::Graph& graph, const Options& options, const LeftNodes& keep, const LeftNodes& unfit)
      : graph_(graph), options_(options), keep_(keep), unfit_(unfit) {}

  Plan run() {
    choose();
    drop_lonely_passes();
    list();
    return std::move(plan_);
  }

 private:
  void leave(const Node* node, std::string reason, bool wanted = false) {
    plan_.left[node] = std::move(reason);
    if (wanted) {
      plan_.wanted_left.insert(node);
    }
  }

  // Whether the node was found to stay in float; says why in the plan.
  bool kept(const Node* node) {
    if (const auto found = unfit_.find(node->result()->name); found != unfit_.end()) {
      leave(node, found->second);
      return true;
    }
    if (const auto found = keep_.find(node->result()->name); found != keep_.end()) {
      leave(node, found->second, true);
      return true;
    }
    for (const std::string& pattern : options_.keep_float) {
      if (is_named(*node, pattern)) {
        leave(node, "--keep-float " + pattern, true);
        return true;
      }
    }
    return false;
  }

  // The clamp that is the only use of a product's, sum's or pool's result.
  Node* clamp_behind(const Node* node, const Rule& rule) {
    if ((rule.kind != Kind::kProduct && rule.kind != Kind::kBinary && rule.kind != Kind::kMatmul) ||
        is_function_of_one(*node, rule) || node->result()->users().size() != 1 ||
        graph_.output_uses(node->result()) != 0) {
      return nullptr;
    }
    Node* const user = node->result()->users()[0];
    const Rule* const found = find_rule(user->op());
    return found != nullptr && found->kind == Kind::kClamp && refusal(*user, *found).empty() &&
                   !kept(user)
               ? user
               : nullptr;
  }

  void choose() {
    std::set<const Node*> absorbed;
    for (const auto& owned : graph_.nodes()) {
      Node* const node = owned.get();
      if (absorbed.contains(node) || node->results().empty() ||
          std::none_of(node->results().begin(), node->results().end(), is_float)) {
        continue;
      }
      const bool control = std::any_of(node->args().begin(), node->args().end(),
                                       [](const ir::Argument& a) { return a.is_graph(); });
      const Rule* const rule = find_rule(node->op());
      if (kept(node)) {
        continue;
      }
      if (control) {
        leave(node, "what control flow runs stays in float");
      } else if (rule == nullptr) {
        leave(node, "no rule for " + qualified_name(*node));
      } else if (std::string why = refusal(*node, *rule); !why.empty()) {
        leave(node, std::move(why));
      } else {
        Node* const clamp = clamp_behind(node, *rule);
        if (clamp != nullptr) {
          absorbed.insert(clamp);
        }
        units_.push_back({node, clamp, rule});
      }
    }
  }

  // Moving elements as integers pays where they are integers before or behind.
  void drop_lonely_passes() {
    std::set<const Value*> integers;  // produced or wanted as such
    const auto is_pass = [](const Unit& unit) { return unit.rule->kind == Kind::kPass; };
    for (const Unit& unit : units_) {
      const bool earned = !is_pass(unit) || integers.contains(unit.node->arg(0).value());
      if (earned) {
        integers.insert(unit.outputs().begin(), unit.outputs().end());
      }
    }
    std::set<const Value*> wanted;
    for (auto unit = units_.rbegin(); unit != units_.rend(); ++unit) {
      const std::vector<Value*>& outputs = unit->outputs();
      const bool earned = !is_pass(*unit) || integers.contains(unit->node->arg(0).value()) ||
                          std::any_of(outputs.begin(), outputs.end(),
                                      [&](const Value* v) { return wanted.contains(v); });
      if (earned) {
        const std::vector<Value*> inputs = unit->inputs();
        wanted.insert(inputs.begin(), inputs.end());
      } else {
        leave(unit->node, "it moves what is float before and behind it", true);
      }
    }
  }

  void list() {
    for (Unit& unit : units_) {
      if (plan_.left.contains(unit.node)) {
        continue;
      }
      plan_.unit_of[unit.node] = plan_.units.size();
      if (unit.clamp != nullptr) {
        plan_.unit_of[unit.clamp] = plan_.units.size();
      }
      if (unit.rule->kind == Kind::kPass) {
        for (Value* output : unit.outputs()) {
          plan_.passed_from[output] = unit.node->arg(0).value();
        }
      }
      plan_.units.push_back(unit);
    }
  }

  ir::Graph& graph_;
  const Options& options_;
  const LeftNodes& keep_;
  const LeftNodes& unfit_;
  std::vector<Unit> units_;
  Plan plan_;
};

}  // namespace

std::vector<Value*> Unit::inputs() const {
  std::vector<Value*> values;
  const size_t count =
      rule->kind == Kind::kMatmul || (rule->kind == Kind::kBinary && node->arg(1).is_value()) ? 2
                                                                                              : 1;
  for (size_t i = 0; i < count; ++i) {
    ir::for_each_value_in(node->arg(i), [&](Value* v) { values.push_back(v); });
  }
  return values;
}

Value* Plan::owner(Value* value) const {
  for (auto found = passed_from.find(value); found != passed_from.end();
       found = passed_from.find(value)) {
    value = found->second;
  }
  return value;
}

std::vector<Value*> Plan::owners() const {
  std::vector<Value*> values;
  std::set<const Value*> seen;
  const auto add = [&](Value* value) {
    Value* const owned = owner(value);
    if (owned->origin() != Value::Origin::kConstant && seen.insert(owned).second) {
      values.push_back(owned);
    }
  };
  for (const Unit& unit : units) {
    for (Value* value : unit.inputs()) {
      add(value);
    }
    for (Value* value : unit.outputs()) {
      if (is_float(value)) {
        add(value);
      }
    }
  }
  return values;
}

void leave_unit(const Unit& unit, const std::string& reason, LeftNodes* left) {
  (*left)[unit.node->result()->name] = reason;
  if (unit.clamp != nullptr) {
    (*left)[unit.clamp->result()->name] = reason;
  }
}

Plan make_plan(ir::Graph& graph, const Options& options, const LeftNodes& keep,
               const LeftNodes& unfit) {
  return Planner(graph, options, keep, unfit).run();
}

bool is_named(const ir::Node& node, const std::string& pattern) {
  const std::string names[] = {node.source.module, std::string(node.info().name),
                               qualified_name(node), short_name(node), node.result(0)->name};
  return std::any_of(std::begin(names), std::end(names),
                     [&](const std::string& text) { return matches(pattern, text); }) ||
         matches(pattern + ".*", node.source.module);
}

bool matches(const std::string& pattern, const std::string& text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string::npos;
  size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') {
    ++p;
  }
  return p == pattern.size();
}

}  // namespace cresset::quantizer
