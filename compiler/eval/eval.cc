// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/eval/eval.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/eval/call_row.h"
#include "compiler/eval/frame.h"

namespace cresset::eval {

namespace {

ir::Error at_node(const ir::Node& node, ir::Error error) {
  error.text = ir::describe(node) + ": " + error.text;
  return error;
}

// A number that the compiler knows, of a value that is no tensor.
std::optional<Scalar> known_number(const ir::Value& value) {
  const std::optional<int64_t> known =
      value.type.kind == ir::Type::Kind::kInt ? value.type.value.known() : std::nullopt;
  return known ? std::optional<Scalar>(Scalar::of_int(*known)) : std::nullopt;
}

// The argument with values replaced by what they hold: constants of `room`, or plain numbers.
// `find` gives the datum of a value, null where it has none.
template <class Find>
ir::Expected<ir::Argument> resolve(const ir::Argument& argument, ir::Graph* room, Find&& find) {
  if (argument.is_list()) {
    ir::ArgumentList items;
    for (const ir::Argument& item : argument.list()) {
      ir::Expected<ir::Argument> resolved = resolve(item, room, find);
      if (!resolved.ok()) {
        return resolved.error();
      }
      items.push_back(*std::move(resolved));
    }
    return ir::Argument(std::move(items));
  }
  if (!argument.is_value()) {
    return argument;
  }
  const Datum* datum = find(argument.value());
  if (datum == nullptr) {
    return ir::error(Status::kInvalidArgument,
                     fmt::format("%{} has no value", argument.value()->name));
  }
  if (const ir::ConstantPtr& tensor = tensor_of(*datum)) {
    return ir::Argument(room->add_constant(tensor));
  }
  if (const Scalar* number = std::get_if<Scalar>(datum)) {
    return ir::Argument(*number);
  }
  const std::string* text = std::get_if<std::string>(datum);
  return text == nullptr ? ir::Argument() : ir::Argument(*text);
}

template <class Find>
ir::Expected<RowResults> call(const ir::Node& node, const std::vector<ir::Type>& declared,
                              const ir::Ranges& ranges, ops::KernelTables tables,
                              ParallelFor* parallel, Find&& find) {
  ir::Graph room;
  std::vector<ir::Argument> args;
  for (const ir::Argument& argument : node.args()) {
    ir::Expected<ir::Argument> resolved = resolve(argument, &room, find);
    if (!resolved.ok()) {
      return resolved.error();
    }
    args.push_back(*std::move(resolved));
  }
  return call_row(tables, node.info(), args, declared, ranges, parallel);
}

bool has_kernel(const ir::Node& node, ops::KernelTables tables) {
  return !node.info().composite &&
         ops::find_kernel(tables, std::string(node.info().name).c_str(),
                          std::string(node.info().out).c_str()) != nullptr;
}

}  // namespace

bool can_evaluate(const ir::Node& node, ops::KernelTables tables) {
  constexpr unsigned kNever = ops::kRandom | ops::kWrites;
  bool constant = (node.info().traits & kNever) == 0 && !node.in_place && has_kernel(node, tables);
  node.for_each_value([&](const ir::Value* v) {
    constant = constant && (v->origin() == ir::Value::Origin::kConstant || known_number(*v));
  });
  for (const ir::Argument& argument : node.args()) {
    constant = constant && !argument.is_graph();
  }
  return constant;
}

ir::Expected<std::vector<Datum>> evaluate_node(const ir::Node& node, ops::KernelTables tables) {
  std::unordered_map<const ir::Value*, Datum> data;
  node.for_each_value([&](const ir::Value* v) {
    if (v->origin() == ir::Value::Origin::kConstant) {
      data[v] = v->constant();
    } else if (const std::optional<Scalar> number = known_number(*v)) {
      data[v] = *number;
    }
  });
  std::vector<ir::Type> declared;
  for (const ir::Value* result : node.results()) {
    declared.push_back(result->type);
  }
  ir::Expected<RowResults> row =
      call(node, declared, {}, tables, nullptr, [&](const ir::Value* v) -> const Datum* {
        const auto found = data.find(v);
        return found == data.end() ? nullptr : &found->second;
      });
  if (!row.ok()) {
    return at_node(node, row.error());
  }
  for (size_t k = 0; k < row->results.size() && k < node.results().size(); ++k) {
    if (const ir::ConstantPtr& tensor = tensor_of(row->results[k])) {
      auto named = std::make_shared<ir::Constant>(*tensor);
      named->name = node.result(k)->name;
      row->results[k] = ir::ConstantPtr(std::move(named));
    }
  }
  return std::move(row->results);
}

Evaluator::Evaluator(const ir::Graph& graph, ops::KernelTables tables, ParallelFor* parallel)
    : graph_(graph), tables_(tables), parallel_(parallel) {
  reset();
}

void Evaluator::reset() {
  buffers_.clear();
  for (const ir::Buffer& buffer : graph_.buffers) {
    buffers_[buffer.name] = buffer.initial;
  }
}

ir::ConstantPtr Evaluator::buffer(const std::string& fqn) const {
  const auto found = buffers_.find(fqn);
  return found == buffers_.end() ? nullptr : found->second;
}

Evaluator::Results Evaluator::run(const std::vector<Datum>& inputs) {
  Frame frame;
  for (const ir::Buffer& buffer : graph_.buffers) {
    const ir::ConstantPtr& contents = buffers_[buffer.name];
    if (contents == nullptr) {
      return ir::bad_model(fmt::format("buffer '{}' has no contents", buffer.name));
    }
    frame.values[buffer.value] = contents;
  }
  Results outputs = run_graph(graph_, inputs, &frame);
  if (!outputs.ok()) {
    return outputs;
  }
  std::map<std::string, ir::ConstantPtr> after;
  for (const ir::Buffer& buffer : graph_.buffers) {
    const Datum* datum = frame.find(buffer.update != nullptr ? buffer.update : buffer.value);
    if (datum == nullptr || tensor_of(*datum) == nullptr) {
      return ir::bad_model(
          fmt::format("the new contents of buffer '{}' are no computed tensor", buffer.name));
    }
    after[buffer.name] = tensor_of(*datum);
  }
  buffers_ = std::move(after);
  input_updates_.assign(graph_.inputs.size(), Datum());
  for (size_t i = 0; i < graph_.inputs.size(); ++i) {
    if (const ir::Value* update = graph_.inputs[i].update) {
      const Datum* datum = frame.find(update);
      input_updates_[i] = datum == nullptr ? Datum() : *datum;
    }
  }
  return outputs;
}

Evaluator::Results Evaluator::run_graph(const ir::Graph& graph, const std::vector<Datum>& inputs,
                                        Frame* frame) {
  if (inputs.size() != graph.inputs.size()) {
    return ir::error(Status::kInvalidArgument, fmt::format("{} inputs given, {} expected",
                                                           inputs.size(), graph.inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::UserInput& input = graph.inputs[i];
    if (input.value == nullptr) {
      continue;
    }
    ir::Expected<Datum> fitted = fit(inputs[i], input.value->type);
    ir::Error e = fitted.ok() ? frame->check(input.value->type, *fitted) : fitted.error();
    if (e) {
      return ir::error(e.status, fmt::format("input {} ('{}'): {}", i, input.name, e.text));
    }
    if (observer_) {
      observer_(*input.value, *fitted);
    }
    frame->values[input.value] = *std::move(fitted);
  }
  // Results are dropped after their last use, so that a large model runs in bounded memory.
  std::unordered_map<const ir::Value*, size_t> uses;
  std::unordered_set<const ir::Value*> kept;
  const auto keep = [&](const ir::Value* v) { kept.insert(v); };
  for (const ir::Argument& output : graph.outputs) {
    ir::for_each_value_in(output, keep);
  }
  for (const ir::Buffer& buffer : graph.buffers) {
    keep(buffer.value);
    keep(buffer.update);
  }
  for (const ir::UserInput& input : graph.inputs) {
    keep(input.update);
  }
  for (const auto& node : graph.nodes()) {
    Results results = run_node(*node, frame);
    if (!results.ok()) {
      return at_node(*node, results.error());
    }
    for (size_t k = 0; k < node->results().size(); ++k) {
      const ir::Value* result = node->result(k);
      if (k >= results->size()) {
        return at_node(*node, ir::bad_model("it has more results than its operator gives"));
      }
      Datum& datum = (*results)[k];
      if (ir::Error e = frame->check(result->type, datum)) {
        return at_node(*node, ir::error(e.status, fmt::format("result {}: {}", k, e.text)));
      }
      if (observer_) {
        observer_(*result, datum);
      }
      frame->values[result] = std::move(datum);
    }
    node->for_each_value([&](const ir::Value* v) {
      if (++uses[v] == v->users().size() && !kept.contains(v)) {
        frame->values.erase(v);
      }
    });
  }
  std::vector<Datum> outputs;
  for (const ir::Argument& output : graph.outputs) {
    ir::Expected<Datum> datum = frame->datum_of(output);
    if (!datum.ok()) {
      return datum.error();
    }
    outputs.push_back(*std::move(datum));
  }
  return outputs;
}

Evaluator::Results Evaluator::run_body(const ir::Graph& body, const std::vector<Datum>& inputs) {
  Frame frame;
  Results outputs = run_graph(body, inputs, &frame);
  if (!outputs.ok()) {
    return ir::error(outputs.error().status,
                     fmt::format("in body '{}': {}", body.name, outputs.error().text));
  }
  return outputs;
}

Evaluator::Results Evaluator::run_row(const ir::Node& node, Frame* frame) {
  if (node.in_place) {
    return ir::error(Status::kNotSupported, "it writes in place: functionalize the graph first");
  }
  // Arithmetic on sizes needs no kernel where its outcome is known.
  if (!has_kernel(node, tables_) && node.results().size() == 1) {
    if (const Datum* known = frame->find(node.result())) {
      return std::vector<Datum>{*known};
    }
  }
  std::vector<ir::Type> declared;
  for (const ir::Value* result : node.results()) {
    declared.push_back(frame->concrete(result->type));
  }
  ir::Expected<RowResults> row = call(node, declared, graph_.ranges, tables_, parallel_,
                                      [&](const ir::Value* v) { return frame->find(v); });
  if (!row.ok()) {
    return row.error();
  }
  for (auto& [arg, contents] : row->written) {
    if (node.arg(arg).is_value()) {
      frame->values[node.arg(arg).value()] = contents;
    }
  }
  return std::move(row->results);
}

}  // namespace cresset::eval
