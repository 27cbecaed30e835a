// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/partitioner/partition.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "compiler/ir/print.h"
#include "compiler/ir/text.h"
#include "compiler/partitioner/find_partitions.h"
#include "compiler/partitioner/outline.h"

namespace cresset::partitioner {

namespace {

using ir::Node;

struct Backend {
  const BackendCompiler* compiler;
  SupportTable table;
};

bool has_body(const Node& node) {
  return std::any_of(node.args().begin(), node.args().end(),
                     [](const ir::Argument& argument) { return argument.is_graph(); });
}

std::string op_text(const ops::OpInfo& info) {
  return std::string(info.name) + (info.overload.empty() ? "" : "." + std::string(info.overload));
}

std::string types_text(const std::vector<ir::Value*>& values) {
  std::string text;
  for (const ir::Value* value : values) {
    text += (text.empty() ? "" : ", ") + ir::print(value->type);
  }
  return text;
}

// Costs nothing where it is left: a view, a number, control flow (whose bodies count themselves).
bool is_free(const Node& node) {
  const bool numbers = !node.results().empty() &&
                       std::none_of(node.results().begin(), node.results().end(),
                                    [](const ir::Value* result) { return result->is_tensor(); });
  return numbers || has_body(node) || (node.info().traits & ops::kReinterprets) != 0;
}

// Why sizes keep the node from a backend; "" where they do not.
std::string size_refusal(const Node& node, const BackendCompiler& compiler,
                         const ir::Ranges& ranges) {
  std::string reason;
  const auto check = [&](const ir::Value* value) {
    if (!value->is_tensor() || !reason.empty()) {
      return;
    }
    for (const ir::Dim& size : value->sizes()) {
      if (!size.is_known() && !compiler.takes_dynamic_sizes()) {
        reason = fmt::format("size {} of '{}' not known at compile time, {} takes fixed sizes only",
                             size.text(), value->name, compiler.name());
      } else if (size.bounds(ranges).max > INT32_MAX) {
        reason = fmt::format("size {} of '{}' has no upper bound", size.text(), value->name);
      }
    }
  };
  node.for_each_value(check);
  for (const ir::Value* result : node.results()) {
    check(result);
  }
  return reason;
}

// One call of partition(): the state that its graphs share.
class Partitioner {
 public:
  Partitioner(const ir::Graph& root, std::vector<Backend> backends)
      : ranges_(root.ranges), backends_(std::move(backends)) {
    report_.method = root.name;
  }

  ir::Error run(ir::Graph& graph, const std::string& body) {
    for (const auto& node : graph.nodes()) {
      for (size_t i = 0; i < node->args().size(); ++i) {
        if (node->arg(i).is_graph()) {
          const std::string path = (body.empty() ? "" : body + ".") + name_of(*node) + "." +
                                   std::string(node->schema().args[i].name);
          if (ir::Error failure = run(*node->arg(i).graph(), path)) {
            return failure;
          }
        }
      }
    }
    describe(graph, body);
    for (const Backend& backend : backends_) {
      if (ir::Error failure = hand_over(graph, body, backend)) {
        return failure;
      }
    }
    if (!backends_.empty()) {
      graph.drop_unused_constants();
    }
    return {};
  }

  MethodReport take_report() { return std::move(report_); }

 private:
  static std::string name_of(const Node& node) {
    return node.results().empty() ? std::string(node.info().id) : node.result()->name;
  }

  // Every node as it stands now; calls are no nodes of the model.
  void describe(const ir::Graph& graph, const std::string& body) {
    for (const auto& node : graph.nodes()) {
      NodeReport entry;
      entry.name = name_of(*node);
      entry.op = op_text(node->info());
      entry.type = types_text(node->results());
      entry.debug_handle = node->debug_handle;
      entry.source = node->source;
      entry.body = body;
      entry.is_free = is_free(*node);
      node->for_each_value([&](const ir::Value* value) {
        if (value->origin() == ir::Value::Origin::kNode) {
          entry.inputs.push_back(entries_.at(value->producer()));
        }
      });
      std::sort(entry.inputs.begin(), entry.inputs.end());
      entry.inputs.erase(std::unique(entry.inputs.begin(), entry.inputs.end()), entry.inputs.end());
      entries_[node.get()] = report_.nodes.size();
      report_.nodes.push_back(std::move(entry));
    }
  }

  void refuse(const Node& node, const std::string& reason) {
    const auto entry = entries_.find(&node);
    if (entry != entries_.end()) {
      std::string& text = report_.nodes[entry->second].reason;
      text += (text.empty() ? "" : "; ") + reason;
    }
  }

  std::string refusal(const Node& node, const Backend& backend) const {
    std::string reason =
        has_body(node) ? fmt::format("control flow not supported by {}", backend.compiler->name())
                       : backend.table.refusal(node, backend.compiler->name());
    if (reason.empty()) {
      reason = size_refusal(node, *backend.compiler, ranges_);
    }
    return reason.empty() ? backend.compiler->refusal(node) : reason;
  }

  ir::Error hand_over(ir::Graph& graph, const std::string& body, const Backend& backend) {
    std::vector<bool> wanted;
    for (const auto& node : graph.nodes()) {
      const bool call = node->op() == ops::Op::hop_delegate;
      const std::string reason = call ? "" : refusal(*node, backend);
      wanted.push_back(!call && reason.empty());
      if (!reason.empty()) {
        refuse(*node, reason);
      }
    }
    for (const Partition& partition : find_partitions(graph, wanted)) {
      if (ir::Error failure = hand_over(graph, body, backend, partition)) {
        return failure;
      }
    }
    return {};
  }

  ir::Error hand_over(ir::Graph& graph, const std::string& body, const Backend& backend,
                      const Partition& partition) {
    const std::string name = backend.compiler->name();
    const auto leave = [&](const std::string& reason) {
      for (const Node* node : partition) {
        refuse(*node, reason);
      }
    };
    if (std::all_of(partition.begin(), partition.end(),
                    [](const Node* node) { return only_moves(*node); })) {
      leave(fmt::format("only moves data: not worth a call of {}", name));
      return {};
    }
    const Outline part =
        outline(graph, partition, ranges_, fmt::format("{}.{}{}", report_.method, name, next_++));
    if (part.outputs.empty()) {
      leave("its results are not used");
      return {};
    }
    ir::Expected<CompiledDelegate> compiled = backend.compiler->compile(*part.graph);
    if (!compiled.ok() && compiled.error().status == Status::kNotSupported) {
      leave(fmt::format("{}: {}", name, compiled.error().text));
      return {};
    }
    if (!compiled.ok()) {
      return ir::error(compiled.error().status,
                       fmt::format("backend {}, {}: {}", name, ir::describe(*partition.front()),
                                   compiled.error().text));
    }
    if (ir::Error clash = check_names(name, *compiled)) {
      return clash;
    }
    const bool any_order = std::all_of(partition.begin(), partition.end(), [&](const Node* node) {
      return backend.table.find(node->op())->any_order();
    });
    add_to_report(body, backend, partition, part, *compiled);
    replace_by_call(graph, partition, part, backend.compiler->id(), *compiled, any_order);
    return {};
  }

  // Equal names of data must mean equal bytes, over all delegates of the method.
  ir::Error check_names(const std::string& backend, const CompiledDelegate& compiled) {
    for (const ir::ConstantPtr& datum : compiled.data) {
      const ir::ConstantPtr& known = data_.try_emplace(datum->name, datum).first->second;
      if (known->size_bytes != datum->size_bytes ||
          !std::equal(datum->bytes, datum->bytes + datum->size_bytes, known->bytes)) {
        return ir::error(
            Status::kInternal,
            fmt::format("backend {}: two data that differ are named '{}'", backend, datum->name));
      }
    }
    return {};
  }

  void add_to_report(const std::string& body, const Backend& backend, const Partition& partition,
                     const Outline& part, const CompiledDelegate& compiled) {
    DelegateReport entry;
    entry.backend = backend.compiler->name();
    entry.id = backend.compiler->id();
    entry.body = body;
    entry.node_count = partition.size();
    entry.blob_bytes = compiled.blob.size();
    for (const ir::ConstantPtr& datum : compiled.data) {
      entry.data_bytes += datum->size_bytes;
    }
    for (const ir::Value* input : part.inputs) {
      entry.inputs.push_back(input->name + " " + ir::print(input->type));
    }
    for (const ir::Value* output : part.outputs) {
      entry.outputs.push_back(output->name + " " + ir::print(output->type));
    }
    entry.notes = part.notes;
    entry.notes.insert(entry.notes.end(), compiled.notes.begin(), compiled.notes.end());
    for (const Node* node : partition) {
      NodeReport& taken = report_.nodes[entries_.at(node)];
      taken.delegate = report_.delegates.size();
      taken.reason.clear();
    }
    report_.delegates.push_back(std::move(entry));
  }

  const ir::Ranges ranges_;
  std::vector<Backend> backends_;
  MethodReport report_;
  std::unordered_map<const Node*, size_t> entries_;
  std::map<std::string, ir::ConstantPtr> data_;
  size_t next_ = 0;
};

ir::Error strict_error(const MethodReport& report) {
  constexpr size_t kQuoted = 20;
  const std::vector<const NodeReport*> left = report.left();
  if (left.empty()) {
    return {};
  }
  std::string text = fmt::format("--strict: {} of {} nodes of '{}' are not delegated:", left.size(),
                                 report.nodes.size(), report.method);
  for (size_t i = 0; i < std::min(left.size(), kQuoted); ++i) {
    const NodeReport& node = *left[i];
    text += fmt::format("\n  '{}' ({}){}: {}", node.name, node.op,
                        node.source.line.empty() ? "" : ", " + node.source.line, node.reason);
  }
  if (left.size() > kQuoted) {
    text += fmt::format("\n  and {} more", left.size() - kQuoted);
  }
  return ir::not_supported(std::move(text));
}

}  // namespace

bool only_moves(const Node& node) {
  switch (node.op()) {
#define MOVES(id) case ops::Op::id:
#include "compiler/partitioner/moves.def"
#undef MOVES
    return true;
    default:
      return false;
  }
}

std::vector<const NodeReport*> MethodReport::left() const {
  std::vector<const NodeReport*> result;
  for (const NodeReport& node : nodes) {
    if (node.delegate == kNotDelegated && !node.is_free) {
      result.push_back(&node);
    }
  }
  return result;
}

ir::ConstantPtr named_constant(const std::string& prefix, const ir::Constant& constant) {
  auto named = std::make_shared<ir::Constant>(constant);
  named->name = fmt::format("{}.{:016x}.{}", prefix,
                            ir::digest(constant.bytes, constant.size_bytes), constant.size_bytes);
  return named;
}

ir::Expected<MethodReport> partition(ir::Graph& graph, const BackendCompilers& backends,
                                     bool strict) {
  std::vector<Backend> read;
  for (const BackendCompiler* compiler : backends) {
    ir::Expected<SupportTable> table = SupportTable::read(compiler->supported());
    if (!table.ok()) {
      return ir::error(Status::kInternal,
                       "backend " + compiler->name() + ": " + table.error().text);
    }
    read.push_back({compiler, std::move(*table)});
  }
  Partitioner partitioner(graph, std::move(read));
  if (ir::Error failure = partitioner.run(graph, "")) {
    return failure;
  }
  MethodReport report = partitioner.take_report();
  if (strict) {
    if (ir::Error failure = strict_error(report)) {
      return failure;
    }
  }
  return report;
}

}  // namespace cresset::partitioner
