// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <set>

#include "compiler/passes/decompositions.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

Decomposition find_decomposition(Op op) {
  switch (op) {
#define DECOMPOSITION(id) \
  case Op::id:            \
    return decompositions::id;
#include "compiler/passes/decompositions.def"
#undef DECOMPOSITION
    default:
      return nullptr;
  }
}

namespace {

bool known_different(const Dims& a, const Dims& b) {
  if (a.size() != b.size()) {
    return true;
  }
  for (size_t d = 0; d < a.size(); ++d) {
    if (a[d].is_known() && b[d].is_known() && !(a[d] == b[d])) {
      return true;
    }
  }
  return false;
}

}  // namespace

ir::Expected<Values> apply(Decomposition decomposition, ir::Graph& graph, Node* node) {
  Builder b(graph, node, node);
  Values made = decomposition(b);
  for (size_t i = 0; i < made.size() && i < node->results().size() && b.error().ok(); ++i) {
    const Type& recorded = node->result(i)->type;
    if (made[i] == nullptr || !recorded.is_tensor()) {
      continue;
    }
    if (known_different(made[i]->sizes(), recorded.tensor.sizes)) {
      return ir::error(Status::kInternal, ir::describe(*node) + ": rewritten to sizes " +
                                              ir::sizes_text(made[i]->sizes()) +
                                              ", the model has " +
                                              ir::sizes_text(recorded.tensor.sizes));
    }
    made[i] = b.cast(made[i], recorded.tensor.dtype);
    if (made[i]->origin() == Value::Origin::kNode) {
      made[i]->type.tensor.sizes = recorded.tensor.sizes;
    }
  }
  if (b.error()) {
    return ir::error(b.error().status, ir::describe(*node) + ": " + b.error().text);
  }
  return made;
}

namespace {

// What linearize makes instructions of that call no kernel.
bool has_own_instructions(Op op) {
  return op == Op::hop_cond || op == Op::hop_scan || op == Op::hop_map_impl ||
         op == Op::hop_while_loop || op == Op::hop_delegate;
}

// Nobody looks at its results, so that nobody misses a way to compute them.
bool is_dead(const ir::Graph& graph, const Node& node) {
  bool used = node.in_place || node.results().empty();
  for (const Value* result : node.results()) {
    used = used || graph.is_used(result);
  }
  for (size_t i = 0; i < node.schema().arg_count; ++i) {
    used = used || node.schema().args[i].writes;
  }
  return !used;
}

class Decomposer {
 public:
  explicit Decomposer(const PassContext& context) : context_(context) {}

  ir::Error run(ir::Graph& graph) {
    for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
      Node* node = it->get();
      if (ir::Error failure = for_each_body(*node, [&](ir::Graph& body) { return run(body); })) {
        return failure;
      }
      if (stays(*node)) {
        ++it;
        continue;
      }
      if (is_dead(graph, *node)) {
        ++it;
        graph.erase(node);
        continue;
      }
      const bool first = it == graph.nodes().begin();
      const auto last = first ? it : std::prev(it);
      const bool replaced = rewrite(graph, node);
      if (++steps_ > kMaxSteps) {
        return ir::error(Status::kInternal, ir::describe(*node) + ": rewriting does not end");
      }
      // What was added may need rewriting itself; a node that stays has been reported.
      it = !replaced ? std::next(it) : first ? graph.nodes().begin() : std::next(last);
    }
    return {};
  }

  // What has no way to be computed, but for what in the end nobody needs.
  ir::Error report() {
    for (auto it = missing_.rbegin(); it != missing_.rend(); ++it) {
      if (is_dead(*it->graph, *it->node)) {
        it->graph->erase(it->node);
        it->node = nullptr;
      }
    }
    std::erase_if(missing_, [](const Missing& missing) { return missing.node == nullptr; });
    if (missing_.empty()) {
      return {};
    }
    std::set<std::string> names;
    std::string lines;
    for (const Missing& missing : missing_) {
      const ops::OpInfo& info = missing.node->info();
      names.insert(std::string(info.name) +
                   (info.overload.empty() ? "" : "." + std::string(info.overload)));
      lines += "\n  " + missing.line;
    }
    std::string text;
    for (const std::string& name : names) {
      text += (text.empty() ? "cannot compute " : ", ") + name;
    }
    text += ":" + lines;
    return ir::error(Status::kOperatorMissing, text);
  }

 private:
  static constexpr size_t kMaxSteps = 1000000;

  // A node that stays, and why.
  struct Missing {
    ir::Graph* graph;
    Node* node;
    std::string line;
  };

  bool stays(const Node& node) const {
    const Op op = node.op();
    if (op == Op::kCount || has_own_instructions(op)) {
      return true;
    }
    if (node.info().composite) {
      return context_.keeps_composite && context_.keeps_composite(node);
    }
    return !context_.has_kernel || context_.has_kernel(node);
  }

  bool rewrite(ir::Graph& graph, Node* node) {
    const Decomposition decomposition = find_decomposition(node->op());
    if (decomposition == nullptr) {
      std::string line = ir::describe(*node);
      if (!node->info().composite && context_.why_not) {
        line += ": " + context_.why_not(*node);
      }
      missing_.push_back({&graph, node, std::move(line)});
      return false;
    }
    const ir::Expected<Values> made = apply(decomposition, graph, node);
    if (!made.ok()) {
      missing_.push_back({&graph, node, made.error().text});
      return false;
    }
    for (size_t i = 0; i < node->results().size(); ++i) {
      Value* result = node->result(i);
      if (i < made->size() && (*made)[i] != nullptr) {
        graph.replace_uses(result, (*made)[i]);
      } else if (graph.is_used(result)) {
        missing_.push_back(
            {&graph, node, ir::describe(*node) + ": result " + std::to_string(i) + " is used"});
        return false;
      }
    }
    graph.erase(node);
    return true;
  }

  const PassContext& context_;
  std::vector<Missing> missing_;
  size_t steps_ = 0;
};

}  // namespace

ir::Error decompose(ir::Graph& graph, const PassContext& context) {
  Decomposer decomposer(context);
  if (ir::Error failure = decomposer.run(graph)) {
    return failure;
  }
  return decomposer.report();
}

}  // namespace cresset::passes
