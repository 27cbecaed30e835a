// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/partitioner/outline.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "compiler/ir/text.h"
#include "ops/op.h"

namespace cresset::partitioner {

namespace {

using ir::Argument;
using ir::ArgumentList;
using ir::Node;
using ir::Value;

bool is_row_major(const ir::TensorType& type) {
  for (size_t i = 0; i < type.dim_order.size(); ++i) {
    if (type.dim_order[i] != i) {
      return false;
    }
  }
  return true;
}

// The same elements with the last dimension innermost.
ir::ConstantPtr row_major(const ir::ConstantPtr& constant) {
  ir::TensorType type = constant->type;
  const std::vector<uint8_t> order = type.order();
  type.dim_order.clear();
  const size_t rank = type.sizes.size();
  std::vector<int64_t> sizes(rank), strides(rank), index(rank);
  for (size_t d = 0; d < rank; ++d) {
    sizes[d] = type.sizes[d].known().value_or(0);
  }
  int64_t stride = 1;
  for (size_t k = rank; k-- > 0;) {
    strides[order[k]] = stride;
    stride *= sizes[order[k]];
  }
  const size_t width = dtype_bytes(type.dtype);
  std::vector<uint8_t> bytes(constant->size_bytes);
  for (size_t at = 0; at < bytes.size(); at += width) {
    const int64_t from =
        std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
    std::memcpy(bytes.data() + at, constant->bytes + static_cast<size_t>(from) * width, width);
    for (size_t d = rank; d-- > 0 && ++index[d] == sizes[d];) {
      index[d] = 0;
    }
  }
  return ir::make_constant(constant->name, type, bytes.data(), bytes.size());
}

ir::ConstantPtr contents(const Value& value) {
  if (value.origin() == Value::Origin::kConstant) {
    return value.constant();
  }
  for (const ir::Buffer& buffer : value.graph()->buffers) {
    if (buffer.value == &value) {
      return buffer.initial;
    }
  }
  return nullptr;
}

// Copies nodes into a graph of their own.
class Outliner {
 public:
  Outliner(const ir::Graph& from, const Partition& partition, const std::string& name)
      : from_(from), inside_(partition.begin(), partition.end()) {
    result_.graph = std::make_shared<ir::Graph>();
    result_.graph->name = name;
  }

  Outline run(const Partition& partition, const ir::Ranges& ranges) {
    std::set<std::string> symbols;
    for (const Node* node : partition) {
      std::vector<Argument> args;
      for (const Argument& argument : node->args()) {
        args.push_back(copied(argument));
      }
      std::vector<ir::Type> types;
      for (const Value* result : node->results()) {
        types.push_back(plain(result->type, &symbols));
      }
      Node* copy = result_.graph->add_node(node->info(), std::move(args), std::move(types));
      copy->debug_handle = node->debug_handle;
      copy->source = node->source;
      for (size_t i = 0; i < node->results().size(); ++i) {
        result_.graph->rename(copy->result(i), node->result(i)->name);
        values_[node->result(i)] = copy->result(i);
      }
    }
    for (const Value* input : result_.inputs) {
      plain(input->type, &symbols);
    }
    for (const std::string& symbol : symbols) {
      if (const auto range = ranges.find(symbol); range != ranges.end()) {
        result_.graph->ranges.insert(*range);
      }
    }
    add_outputs(partition);
    return std::move(result_);
  }

 private:
  // Row-major, as compile() is promised; collects the symbols of its sizes.
  static ir::Type plain(ir::Type type, std::set<std::string>* symbols) {
    type.tensor.dim_order.clear();
    for (const ir::Dim& size : type.tensor.sizes) {
      for (std::string& symbol : size.symbols()) {
        symbols->insert(std::move(symbol));
      }
    }
    return type;
  }

  Argument copied(const Argument& argument) {
    if (argument.is_value()) {
      return copied(argument.value());
    }
    if (!argument.is_list()) {
      return argument;
    }
    ArgumentList items;
    for (const Argument& item : argument.list()) {
      items.push_back(copied(item));
    }
    return items;
  }

  Value* copied(Value* value) {
    const auto found = values_.find(value);
    if (found != values_.end()) {
      return found->second;
    }
    Value* copy;
    if (is_constant(*value)) {
      const ir::ConstantPtr constant = contents(*value);
      copy = result_.graph->add_constant(
          is_row_major(constant->type) && constant->type.dim_order.empty() ? constant
                                                                           : row_major(constant));
      note_shared(*value);
    } else {
      ir::Type type = value->type;
      type.tensor.dim_order.clear();
      copy = result_.graph->add_input(value->name, std::move(type));
      result_.inputs.push_back(value);
      if (value->origin() == Value::Origin::kBuffer) {
        note_written(*value);
      }
    }
    values_[value] = copy;
    return copy;
  }

  void note_shared(const Value& value) {
    const bool outside = from_.output_uses(&value) != 0 ||
                         std::any_of(value.users().begin(), value.users().end(),
                                     [&](const Node* user) { return !inside_.contains(user); });
    if (outside) {
      result_.notes.push_back(fmt::format(
          "constant '{}' is used outside too: the program may hold it twice", value.name));
    }
  }

  void note_written(const Value& value) {
    for (const ir::Buffer& buffer : from_.buffers) {
      if (buffer.value == &value) {
        result_.notes.push_back(fmt::format(
            "buffer '{}' is written: kept outside, its contents are an input", buffer.name));
      }
    }
  }

  void add_outputs(const Partition& partition) {
    for (const Node* node : partition) {
      for (Value* result : node->results()) {
        const bool needed = from_.output_uses(result) != 0 ||
                            std::any_of(result->users().begin(), result->users().end(),
                                        [&](const Node* user) { return !inside_.contains(user); });
        if (needed) {
          result_.outputs.push_back(result);
          result_.graph->outputs.emplace_back(values_.at(result));
          result_.graph->output_names.push_back(result->name);
        }
      }
    }
  }

  const ir::Graph& from_;
  std::unordered_set<const Node*> inside_;
  std::unordered_map<const Value*, Value*> values_;
  Outline result_;
};

// Consumers of the call's results that stand before it move behind it, in their order: everything
// else up to the call goes before the first of them. None of them leads to the call, since
// partitions are convex.
void move_consumers_behind(ir::Graph& graph, const Node* call) {
  std::unordered_set<const Node*> consumers;
  std::vector<Node*> others;
  Node* first = nullptr;
  for (const auto& node : graph.nodes()) {
    bool depends = false;
    node->for_each_value([&](const Value* value) {
      depends = depends || (value->origin() == Value::Origin::kNode &&
                            (value->producer() == call || consumers.contains(value->producer())));
    });
    if (depends) {
      consumers.insert(node.get());
      first = first == nullptr ? node.get() : first;
    } else if (first != nullptr) {
      others.push_back(node.get());
    }
    if (node.get() == call) {
      break;
    }
  }
  for (Node* node : others) {
    graph.move_before(node, first);
  }
}

}  // namespace

Outline outline(const ir::Graph& graph, const Partition& partition, const ir::Ranges& ranges,
                const std::string& name) {
  return Outliner(graph, partition, name).run(partition, ranges);
}

void replace_by_call(ir::Graph& graph, const Partition& partition, const Outline& outline,
                     const std::string& id, const CompiledDelegate& compiled, bool any_order) {
  ArgumentList specs, data, inputs;
  for (const auto& [key, value] : compiled.specs) {
    specs.emplace_back(key);
    specs.emplace_back(value);
  }
  for (const ir::ConstantPtr& datum : compiled.data) {
    data.emplace_back(graph.add_constant(datum));
  }
  for (Value* input : outline.inputs) {
    inputs.emplace_back(input);
  }
  std::vector<ir::Type> types;
  for (const Value* output : outline.outputs) {
    types.push_back(output->type);
    types.back().tensor.dim_order.clear();
  }
  const ir::TensorType bytes{
      DType::kUInt8, {ir::Dim(static_cast<int64_t>(compiled.blob.size()))}, {}};
  Value* blob = graph.add_constant(
      ir::make_constant(outline.graph->name, bytes, compiled.blob.data(), compiled.blob.size()));
  Node* call =
      graph.add_node(ops::Op::hop_delegate,
                     {Argument(id), Argument(blob), Argument(std::move(specs)),
                      Argument(std::move(data)), Argument(std::move(inputs)), Argument(any_order)},
                     std::move(types), partition.back());
  call->debug_handle = partition.front()->debug_handle;
  call->source = partition.front()->source;
  std::vector<std::string> names;
  for (size_t i = 0; i < outline.outputs.size(); ++i) {
    names.push_back(outline.outputs[i]->name);
    graph.replace_uses(outline.outputs[i], call->result(i));
  }
  for (auto it = partition.rbegin(); it != partition.rend(); ++it) {
    graph.erase(*it);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    graph.rename(call->result(i), names[i]);
  }
  move_consumers_behind(graph, call);
}

}  // namespace cresset::partitioner
