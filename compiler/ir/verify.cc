// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/ir/infer.h"
#include "compiler/ir/print.h"
#include "compiler/ir/verify_args.h"
#include "compiler/ir/verify_bodies.h"
#include "core/tensor.h"

namespace cresset::ir {

namespace {

using Origin = Value::Origin;

// A graph being checked, and where its violations go.
struct Check {
  const Graph& graph;
  bool is_body;
  const VerifyOptions& options;
  std::vector<std::string>* faults;

  template <class... A>
  void fault(fmt::format_string<A...> format, A&&... args) const {
    faults->push_back(fmt::format(format, std::forward<A>(args)...));
  }
  template <class... A>
  void fault(const Node& node, fmt::format_string<A...> format, A&&... args) const {
    faults->push_back(describe(node) + ": " + fmt::format(format, std::forward<A>(args)...));
  }
};

bool is_hop(const ops::OpInfo& info) { return info.name.starts_with("higher_order::"); }

// Every value that anything refers to is one of the graph's own.
void no_dangling_values(const Check& c) {
  std::set<const Value*> own;
  for (const auto& value : c.graph.values()) {
    own.insert(value.get());
  }
  const auto check = [&](const Value* value, const std::string& where) {
    if (value != nullptr && !own.contains(value)) {
      c.fault("{} refers to a value that the graph does not own", where);
    }
  };
  for (const auto& node : c.graph.nodes()) {
    for (const Argument& argument : node->args()) {
      for_each_value_in(argument, [&](const Value* v) { check(v, "an argument"); });
    }
    for (const Value* result : node->results()) {
      check(result, "a node");
    }
  }
  for (const Argument& output : c.graph.outputs) {
    for_each_value_in(output, [&](const Value* v) { check(v, "an output"); });
  }
  for (const UserInput& input : c.graph.inputs) {
    check(input.value, "an input");
    check(input.update, "an input's update");
  }
  for (const Buffer& buffer : c.graph.buffers) {
    check(buffer.value, "a buffer");
    check(buffer.update, "a buffer's update");
  }
}

void unique_names(const Check& c) {
  std::set<std::string> names;
  for (const auto& value : c.graph.values()) {
    if (value->name.empty()) {
      c.fault("a value has no name");
    } else if (!names.insert(value->name).second) {
      c.fault("two values are called %{}", value->name);
    }
  }
}

// Values and whatever they come from know each other.
void origins(const Check& c) {
  std::set<const Value*> inputs, buffers;
  for (const UserInput& input : c.graph.inputs) {
    inputs.insert(input.value);
  }
  for (const Buffer& buffer : c.graph.buffers) {
    buffers.insert(buffer.value);
    if (buffer.value == nullptr || buffer.value->origin() != Origin::kBuffer) {
      c.fault("buffer '{}' has no value of its own", buffer.name);
    }
  }
  for (const auto& value : c.graph.values()) {
    const bool good =
        value->graph() == &c.graph &&
        (value->origin() == Origin::kNode
             ? value->producer() != nullptr && value->producer()->graph() == &c.graph &&
                   value->result_index() < value->producer()->results().size() &&
                   value->producer()->result(value->result_index()) == value.get()
         : value->origin() == Origin::kInput    ? inputs.contains(value.get())
         : value->origin() == Origin::kConstant ? value->constant() != nullptr
                                                : buffers.contains(value.get()));
    if (!good) {
      c.fault("%{} does not come from where it says", value->name);
    }
  }
}

void defined_before_use(const Check& c) {
  std::set<const Value*> defined;
  for (const auto& value : c.graph.values()) {
    if (value->origin() != Origin::kNode) {
      defined.insert(value.get());
    }
  }
  for (const auto& node : c.graph.nodes()) {
    node->for_each_value([&](const Value* v) {
      if (!defined.contains(v)) {
        c.fault(*node, "%{} is used before it is defined", v->name);
      }
    });
    defined.insert(node->results().begin(), node->results().end());
  }
}

void users(const Check& c) {
  std::map<const Value*, std::vector<const Node*>> uses;
  for (const auto& node : c.graph.nodes()) {
    node->for_each_value([&](const Value* v) { uses[v].push_back(node.get()); });
  }
  for (const auto& value : c.graph.values()) {
    std::vector<const Node*> said(value->users().begin(), value->users().end());
    std::vector<const Node*>& found = uses[value.get()];
    std::sort(said.begin(), said.end());
    std::sort(found.begin(), found.end());
    if (said != found) {
      c.fault("%{} names {} uses, the graph has {}", value->name, said.size(), found.size());
    }
  }
}

void types(const Check& c) {
  for (const auto& value : c.graph.values()) {
    const TensorType& type = value->type.tensor;
    if (!value->is_tensor()) {
      continue;
    }
    if (type.sizes.size() > kMaxRank) {
      c.fault("%{} has {} dimensions, at most {} are possible", value->name, type.sizes.size(),
              kMaxRank);
      continue;
    }
    for (const Dim& size : type.sizes) {
      if (size.known().value_or(0) < 0) {
        c.fault("%{} has a negative size: {}", value->name, print(value->type));
      }
    }
    const std::vector<uint8_t> order = type.order();
    if (order.size() != type.sizes.size() || !cresset::is_permutation(Span<const uint8_t>(order))) {
      c.fault("%{} has a dim order that is no permutation of its {} dimensions", value->name,
              type.sizes.size());
    }
  }
}

void check_constant(const Check& c, const Value& value, const Constant& constant) {
  size_t size_bytes = dtype_bytes(constant.type.dtype);
  for (const Dim& size : constant.type.sizes) {
    if (!size.is_known()) {
      c.fault("constant %{} has sizes {} that are not numbers", value.name,
              sizes_text(constant.type.sizes));
      return;
    }
    size_bytes *= static_cast<size_t>(*size.known());
  }
  if (size_bytes != constant.size_bytes || (constant.bytes == nullptr && size_bytes != 0)) {
    c.fault("constant %{} has {} bytes of data, its type takes {}", value.name, constant.size_bytes,
            size_bytes);
  } else if (!value.is_tensor() || value.tensor() != constant.type) {
    c.fault("constant %{} is {}, its data {}", value.name, print(value.type),
            print(Type::of(constant.type)));
  }
}

void constants(const Check& c) {
  for (const auto& value : c.graph.values()) {
    if (value->origin() == Origin::kConstant) {
      check_constant(c, *value, *value->constant());
    }
  }
  for (const Buffer& buffer : c.graph.buffers) {
    if (buffer.initial != nullptr) {
      check_constant(c, *buffer.value, *buffer.initial);
    }
  }
}

void arguments(const Check& c) {
  for (const auto& node : c.graph.nodes()) {
    const ops::Schema& schema = node->schema();
    if (node->args().size() != schema.arg_count) {
      c.fault(*node, "it has {} arguments, its schema {}", node->args().size(),
              static_cast<int>(schema.arg_count));
      continue;
    }
    for (size_t i = 0; i < schema.arg_count; ++i) {
      const std::string fault = argument_fault(node->info(), i, node->arg(i));
      if (!fault.empty()) {
        c.fault(*node, "argument '{}' {}", schema.args[i].name, fault);
      }
    }
  }
}

void results(const Check& c) {
  for (const auto& node : c.graph.nodes()) {
    const ops::Schema& schema = node->schema();
    const size_t count = node->results().size();
    const bool list = schema.return_count > 0 && schema.returns[schema.return_count - 1].list;
    size_t wanted = schema.return_count;
    if (node->writes_copies) {
      node->for_each_written([&](const Value*) { ++wanted; });
    }
    if (list ? count + 1 < wanted : count != wanted) {
      c.fault(*node, "it has {} results, its schema {}", count, wanted);
      continue;
    }
    for (size_t k = 0; k < count && k < schema.return_count && !is_hop(node->info()); ++k) {
      const ops::SchemaArg& result = schema.returns[std::min<size_t>(k, schema.return_count - 1u)];
      if ((result.type == ops::TypeTag::kTensor) != node->result(k)->is_tensor()) {
        c.fault(*node, "result {} is {}, which its schema does not say", k,
                print(node->result(k)->type));
      }
    }
  }
}

// Result types are what the row's rule gives, as far as both are known.
void inferred_types(const Check& c) {
  for (const auto& node : c.graph.nodes()) {
    if (node->info().composite || !ops::is_row(node->op())) {
      continue;
    }
    Expected<std::vector<Type>> types = infer(node->info(), node->args(), node->results().size());
    if (!types.ok()) {
      if (types.error().status != Status::kInternal) {
        c.fault(*node, "{}", types.error().text);
      }
      continue;
    }
    for (size_t k = 0; k < types->size() && k < node->results().size(); ++k) {
      if (node->in_place) {  // the tensor that is written keeps its dtype
        (*types)[k].tensor.dtype = node->result(k)->dtype();
      }
      if (node->result(k)->is_tensor() &&
          !may_be_same_shape((*types)[k].tensor, node->result(k)->tensor())) {
        c.fault(*node, "result {} is {}, the operator gives {}", k, print(node->result(k)->type),
                print((*types)[k]));
      }
    }
  }
}

void bodies(const Check& c) {
  if (c.is_body && (!c.graph.buffers.empty() || !c.graph.ranges.empty())) {
    c.fault("body '{}' has buffers or ranges of its own", c.graph.name);
  }
  for (const auto& node : c.graph.nodes()) {
    for (const std::string& fault : body_faults(*node)) {
      c.fault(*node, "{}", fault);
    }
  }
}

void outputs(const Check& c) {
  const auto is_plain = [](const Argument& argument) {
    return !argument.is_list() && !argument.is_graph();
  };
  for (size_t i = 0; i < c.graph.outputs.size(); ++i) {
    if (!is_plain(c.graph.outputs[i])) {
      c.fault("output {} is {}", i, kind_of(c.graph.outputs[i]));
    }
  }
  if (!c.graph.output_names.empty() && c.graph.output_names.size() != c.graph.outputs.size()) {
    c.fault("{} names for {} outputs", c.graph.output_names.size(), c.graph.outputs.size());
  }
  const auto check_update = [&](const std::string& what, const Value* value, const Value* update) {
    if (update == nullptr) {
      return;
    }
    if (value == nullptr || !value->is_tensor() || !update->is_tensor() ||
        !may_be_same_shape(value->tensor(), update->tensor())) {
      c.fault("the update of {} is {}, which it cannot hold", what, print(update->type));
    }
  };
  for (const UserInput& input : c.graph.inputs) {
    if (input.value == nullptr && (input.specialised.is_value() || !is_plain(input.specialised))) {
      c.fault("input '{}' is specialised to {}", input.name, kind_of(input.specialised));
    }
    check_update("input '" + input.name + "'", input.value, input.update);
  }
  for (const Buffer& buffer : c.graph.buffers) {
    check_update("buffer '" + buffer.name + "'", buffer.value, buffer.update);
  }
}

void functional(const Check& c) {
  for (const auto& node : c.graph.nodes()) {
    bool writes = node->in_place;
    for (size_t i = 0; i < node->schema().arg_count; ++i) {
      writes = writes || node->schema().args[i].writes;
    }
    if (c.options.functional && writes && !node->writes_copies) {
      c.fault(*node, "it writes into a tensor, which functionalize should have resolved");
    }
  }
}

void rows_only(const Check& c) {
  for (const auto& node : c.graph.nodes()) {
    if (c.options.rows_only && node->info().composite && !is_hop(node->info())) {
      c.fault(*node, "it is a composite, which decompose should have resolved");
    }
  }
}

// The rules of the IR. A rule may rely on those before it.
constexpr struct Rule {
  const char* name;
  void (*check)(const Check&);
} kRules[] = {
    {"no dangling values", no_dangling_values},
    {"origins", origins},
    {"unique names", unique_names},
    {"defined before use", defined_before_use},
    {"users", users},
    {"types", types},
    {"constants", constants},
    {"arguments", arguments},
    {"results", results},
    {"inferred types", inferred_types},
    {"bodies", bodies},
    {"outputs", outputs},
    {"functional", functional},
    {"rows only", rows_only},
};

void apply(const Rule& rule, const Graph& graph, bool is_body, const VerifyOptions& options,
           std::vector<std::string>* faults) {
  rule.check({graph, is_body, options, faults});
  for (const auto& node : graph.nodes()) {
    for (const Argument& argument : node->args()) {
      if (argument.is_graph() && argument.graph() != nullptr) {
        apply(rule, *argument.graph(), true, options, faults);
      }
    }
  }
}

}  // namespace

std::vector<Violation> check_rules(const Graph& graph, const VerifyOptions& options) {
  for (const Rule& rule : kRules) {
    std::vector<std::string> faults;
    apply(rule, graph, false, options, &faults);
    if (!faults.empty()) {
      std::vector<Violation> violations;
      for (std::string& fault : faults) {
        violations.push_back({rule.name, std::move(fault)});
      }
      return violations;
    }
  }
  return {};
}

Error verify(const Graph& graph, const VerifyOptions& options) {
  constexpr size_t kQuoted = 5;
  const std::vector<Violation> violations = check_rules(graph, options);
  if (violations.empty()) {
    return {};
  }
  std::string text = fmt::format("graph '{}' breaks the rule '{}'", graph.name, violations[0].rule);
  for (size_t i = 0; i < std::min(violations.size(), kQuoted); ++i) {
    text += (i == 0 ? ": " : "; ") + violations[i].text;
  }
  if (violations.size() > kQuoted) {
    text += fmt::format("; and {} more", violations.size() - kQuoted);
  }
  return error(Status::kInternal, std::move(text));
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : kRules) {
    names.emplace_back(rule.name);
  }
  return names;
}

}  // namespace cresset::ir
