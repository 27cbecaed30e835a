// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/op_lookup.h"

#include <algorithm>
#include <map>
#include <vector>

#include "compiler/frontend/nearest_names.h"
#include "compiler/frontend/node_origin.h"

namespace cresset::frontend {

namespace {

constexpr std::string_view kTorchOps = "torch.ops.";
constexpr std::string_view kHigherOrder = "higher_order";
constexpr std::string_view kSymbolicOps = "executorch_prim::";

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Higher-order operators that only wrap their body.
constexpr std::string_view kWrappers[] = {
    "wrap_with_set_grad_enabled", "strict_mode",     "wrap", "hints_wrapper",
    "tag_activation_checkpoint",  "invoke_subgraph",
};

// Names of Python's functions on sizes that differ from those of our rows.
struct SymbolicName {
  std::string_view python;
  std::string_view ours;
};
constexpr SymbolicName kSymbolicNames[] = {
    {"and_", "and"}, {"or_", "or"}, {"_sym_sqrt", "sqrt"}, {"mod", "mod"}, {"trunc", "trunc"},
};

struct MissingOperator {
  std::string name;
  std::string line;
  size_t uses = 0;
};

void collect_missing(const OpLookup& lookup, const Json& graph,
                     std::map<std::string_view, size_t>* seen,
                     std::vector<MissingOperator>* missing) {
  const auto look_up = [&](const Json& node, std::string_view target) {
    if (lookup.find(target).form != TargetForm::kMissing) {
      return;
    }
    const auto [at, fresh] = seen->emplace(target, missing->size());
    if (fresh) {
      const Json metadata = node.field("metadata");
      const Json trace = metadata.optional("stack_trace");
      missing->push_back(
          {std::string(starts_with(target, kTorchOps) ? target.substr(kTorchOps.size()) : target),
           trace.is_text() ? source_line(trace.as_text()) : std::string()});
    }
    ++(*missing)[at->second].uses;
  };
  graph.field("nodes").each([&](const Json& node) {
    look_up(node, node.field("target").as_text());
    node.field("inputs").each([&](const Json& input) {
      const Json arg = input.field("arg");
      if (arg.tag() == "as_operator") {
        look_up(node, arg.payload().as_text());
      }
      if (arg.tag() == "as_graph") {
        const Json body = arg.payload();
        collect_missing(lookup, body.field("graph"), seen, missing);
      }
    });
  });
}

std::string shown(const ops::OpInfo& info) {
  std::string text(info.name);
  if (const size_t colons = text.find("::"); colons != text.npos) {
    text.replace(colons, 2, ".");
  }
  return text + "." + (info.overload.empty() ? "default" : std::string(info.overload));
}

}  // namespace

const ops::OpInfo* OpLookup::find_named(const std::string& name, std::string_view overload) const {
  if (const ops::OpInfo* info = ops::find_op(name, overload)) {
    return info;
  }
  for (const ops::OpInfo& info : application_) {
    if (info.name == name && info.overload == overload) {
      return &info;
    }
  }
  return nullptr;
}

Target OpLookup::find(std::string_view target) const {
  const size_t last_dot = target.rfind('.');
  if (last_dot == target.npos) {
    return {};
  }
  const std::string_view last = target.substr(last_dot + 1);
  if (starts_with(target, "torch.ops.higher_order.") ||
      starts_with(target, "torch._higher_order_ops.")) {
    if (std::find(std::begin(kWrappers), std::end(kWrappers), last) != std::end(kWrappers)) {
      return {TargetForm::kInlined};
    }
    if (last == "wrap_with_autocast") {
      return {TargetForm::kAutocast};
    }
    if (last == "with_effects") {
      return {TargetForm::kWithEffects};
    }
    if (last == "auto_functionalized" || last == "auto_functionalized_v2") {
      return {TargetForm::kAutoFunctionalized};
    }
    if (last == "print") {
      return {TargetForm::kIgnored};
    }
    const ops::OpInfo* info = find_named(std::string(kHigherOrder) + "::" + std::string(last), "");
    return info == nullptr ? Target() : Target{TargetForm::kControlFlow, info};
  }
  if (starts_with(target, kTorchOps)) {
    const std::string_view path = target.substr(kTorchOps.size());
    const size_t first_dot = path.find('.');
    const size_t overload_dot = path.rfind('.');
    if (first_dot == overload_dot) {
      return {};
    }
    if (path == "export.access_subclass_inner_tensor.default") {
      return {TargetForm::kSubclassAccess};
    }
    const std::string_view op = path.substr(first_dot + 1, overload_dot - first_dot - 1);
    const std::string_view overload = last == "default" ? std::string_view() : last;
    std::string name = std::string(path.substr(0, first_dot)) + "::" + std::string(op);
    const bool assigns = starts_with(op, "__i") && op.back() == '_';  // a <<= b: __ilshift__
    const bool writes = assigns || (op.size() > 1 && op.back() == '_' && op[op.size() - 2] != '_');
    const ops::OpInfo* info = find_named(name, overload);
    if (info == nullptr && writes) {
      name.erase(assigns ? name.size() - op.size() + 2 : name.size() - 1, 1);
      info = find_named(name, overload);
    }
    return info == nullptr ? Target() : Target{TargetForm::kOperator, info, writes};
  }
  if (target == "torch.sym_sum") {
    return {TargetForm::kSymbolicSum, find_named(std::string(kSymbolicOps) + "add", "Scalar")};
  }
  if (starts_with(target, "_operator.") || starts_with(target, "math.") ||
      starts_with(target, "torch.")) {
    std::string_view name = last;
    for (const SymbolicName& row : kSymbolicNames) {
      name = row.python == last ? row.ours : name;
    }
    const ops::OpInfo* info = find_named(std::string(kSymbolicOps) + std::string(name), "Scalar");
    return info == nullptr ? Target() : Target{TargetForm::kSymbolic, info};
  }
  return {};
}

ir::Error OpLookup::missing_operators(const Json& graph, const std::string& model) const {
  std::map<std::string_view, size_t> seen;
  std::vector<MissingOperator> missing;
  collect_missing(*this, graph, &seen, &missing);
  if (!graph.ok() || missing.empty()) {
    return {};
  }
  std::vector<std::string> texts;
  for (const ops::OpInfo& info : ops::all_ops()) {
    texts.push_back(shown(info));
  }
  for (const ops::OpInfo& info : application_) {
    texts.push_back(shown(info));
  }
  const std::vector<std::string_view> names(texts.begin(), texts.end());
  std::string text = model + ": " + std::to_string(missing.size()) +
                     (missing.size() == 1 ? " operator is" : " operators are") + " not supported:";
  for (const MissingOperator& op : missing) {
    text += "\n  " + op.name.substr(0, 200) + " (" + std::to_string(op.uses) +
            (op.uses == 1 ? " use)" : " uses)");
    if (!op.line.empty()) {
      text += ", " + op.line;
    }
    const std::vector<std::string_view> near = nearest_names(op.name, names, 3);
    for (size_t i = 0; i < near.size(); ++i) {
      text += (i == 0 ? "; near names: " : ", ") + std::string(near[i]);
    }
  }
  text += "\n  An operator of your own is declared with --ops FILE.def";
  return ir::error(Status::kOperatorMissing, text);
}

}  // namespace cresset::frontend
