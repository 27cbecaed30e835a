// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/trial.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/eval/eval.h"
#include "compiler/ir/clone.h"
#include "compiler/passes/decompositions.h"
#include "compiler/passes/passes.h"
#include "extensions/module/module.h"
#include "tests/integer/random_cases.h"

namespace cresset::tests {

namespace {

using data::HostTensor;
using data::HostValue;

bool is_exact(const ops::OpInfo& op) {
  const std::vector<std::string>& rows = integer_rows();
  return std::find(rows.begin(), rows.end(), op.id) != rows.end();
}

// Other values of the same kinds that the call takes as well: the same elements in reverse.
Values rearranged(const Values& inputs) {
  Values result = inputs;
  for (HostValue& value : result) {
    for_each_tensor(value, [](HostTensor& tensor) {
      const size_t width = dtype_bytes(tensor.dtype());
      Span<uint8_t> bytes = tensor.mutable_bytes();
      std::reverse(bytes.data(), bytes.data() + bytes.size());
      for (size_t at = 0; at < bytes.size(); at += width) {
        std::reverse(bytes.data() + at, bytes.data() + at + width);
      }
      for (int64_t i = 0; tensor.dtype() == DType::kFloat32 && i < tensor.numel(); ++i) {
        tensor.mutable_data<float>()[i] *= 0.75f;
      }
    });
  }
  return result;
}

Values values_of(const std::vector<eval::Datum>& data) {
  Values values;
  for (const eval::Datum& datum : data) {
    values.push_back(host_value(datum));
  }
  return values;
}

Expected<std::vector<eval::Datum>> evaluate_graph(ir::Graph& graph,
                                                  const std::vector<eval::Datum>& inputs) {
  for (const auto& node : graph.nodes()) {
    for (ir::Value* result : node->results()) {
      for (size_t d = 0; d < result->rank(); ++d) {
        result->type.tensor.sizes[d] = ir::Dim::unknown(fmt::format("{}_{}", result->name, d));
      }
    }
  }
  passes::PassContext context;
  context.has_kernel = [](const ir::Node& node) {
    return ops::is_row(node.op()) &&
           ops::find_kernel(portable_only(), std::string(node.info().name).c_str(),
                            std::string(node.info().out).c_str()) != nullptr;
  };
  for (const auto pass : {passes::functionalize, passes::normalize, passes::decompose}) {
    if (Error failure = pass(graph, context)) {
      return failure;
    }
  }
  return eval::Evaluator(graph, portable_only()).run(inputs);
}

Model finished(const Call& call, CaseGraph&& made) {
  Model model;
  model.label = call.label;
  model.graph = made.graph;
  model.input_args = made.input_args;
  const Values inputs = values_of(made.inputs);
  model.runs = {inputs, rearranged(inputs), inputs};
  model.exact = is_exact(*call.op);
  return model;
}

// The call with size `dim` of the tensors of `args` as given, elements repeated or left out.
Call resized(const Call& base, const std::vector<size_t>& args, size_t dim, int32_t size) {
  Call call = base;
  for (const size_t arg : args) {
    for_each_tensor(*call.args[arg], [&](HostTensor& tensor) {
      std::vector<int32_t> sizes = tensor.sizes();
      sizes[dim] = size;
      tensor = with_sizes(tensor, sizes);
    });
  }
  return call;
}

}  // namespace

Expected<Values> evaluate(const Call& call) {
  CaseGraph made;
  if (const Error error = made.add(*call.op, false, as_case(call)); !error.ok()) {
    return error;
  }
  auto results = evaluate_graph(*made.graph, made.inputs);
  if (!results.ok()) {
    return results.error();
  }
  return values_of(*results);
}

Expected<Model> model_of(const Call& call) {
  CaseGraph made;
  if (const Error error = made.add(*call.op, false, as_case(call)); !error.ok()) {
    return error;
  }
  return finished(call, std::move(made));
}

void make_constant(Model& model, const std::set<size_t>& args) {
  ir::Graph& graph = *model.graph;
  const Values inputs = model.runs[0];
  for (size_t i = graph.inputs.size(); i-- > 0 && graph.inputs.size() > 1;) {
    if (args.count(model.input_args[i]) == 0) {
      continue;
    }
    ir::Value* const input = graph.inputs[i].value;
    const HostTensor& tensor = *inputs[i].get<HostTensor>();
    graph.replace_uses(
        input, graph.add_constant(ir::make_constant(fmt::format("constant{}", i), input->tensor(),
                                                    tensor.bytes().data(), tensor.size_bytes())));
    const auto at = static_cast<std::ptrdiff_t>(i);
    graph.inputs.erase(graph.inputs.begin() + at);
    model.input_args.erase(model.input_args.begin() + at);
    for (Values& run : model.runs) {
      run.erase(run.begin() + at);
    }
  }
  model.label += ", constants";
}

bool make_state(Model& model) {
  ir::Graph& graph = *model.graph;
  const ir::Value* const result = graph.nodes().back()->result();
  ir::Value* const input = graph.inputs[0].value;
  if (!(input->tensor() == result->tensor())) {
    return false;
  }
  const HostTensor& tensor = *model.runs[0][0].get<HostTensor>();
  ir::Value* const state = graph.add_buffer(
      "state",
      ir::make_constant("state", input->tensor(), tensor.bytes().data(), tensor.size_bytes()));
  graph.replace_uses(input, state);
  graph.buffers[0].update = graph.nodes().back()->result();
  graph.inputs.erase(graph.inputs.begin());
  for (Values& run : model.runs) {
    run.erase(run.begin());
  }
  model.label += ", state";
  return true;
}

Expected<Model> chain_of(const Call& first, const Call& second) {
  CaseGraph made;
  if (const Error error = made.add(*first.op, false, as_case(first)); !error.ok()) {
    return error;
  }
  const ops::Schema& schema = second.op->schema;
  size_t arg = 0;
  while (arg < schema.arg_count && schema.args[arg].type != ops::TypeTag::kTensor) {
    ++arg;
  }
  if (arg == schema.arg_count || schema.args[arg].list || !first.outs[0].is<HostTensor>()) {
    return ir::not_supported("no tensor to take");
  }
  Call behind = second;
  behind.args[arg] = first.outs[0];
  Expected<Values> outs = evaluate(behind);
  if (!outs.ok()) {
    return outs.error();
  }
  behind.outs = *outs;
  behind.args[arg].reset();
  ir::Value* const between = made.graph->nodes().back()->result();
  if (const Error error = made.add(*second.op, false, as_case(behind), {{arg, between}});
      !error.ok()) {
    return error;
  }
  Call label = first;
  label.label += " then " + second.label;
  return finished(label, std::move(made));
}

Expected<Model> varying(const Call& call, size_t dim) {
  const ops::Schema& schema = call.op->schema;
  std::vector<size_t> first, alike;
  int32_t before = 0;
  for (size_t i = 0; i < schema.arg_count; ++i) {
    const HostTensor* tensor = schema.args[i].type == ops::TypeTag::kTensor && call.args[i]
                                   ? call.args[i]->get<HostTensor>()
                                   : nullptr;
    if (tensor == nullptr) {
      continue;
    }
    if (first.empty()) {
      if (dim >= tensor->rank() || tensor->numel() == 0 || tensor->sizes()[dim] < 2) {
        return ir::not_supported("no such size");
      }
      first = {i};
      before = tensor->sizes()[dim];
    }
    if (tensor->rank() == call.args[first[0]]->get<HostTensor>()->rank() &&
        tensor->sizes()[dim] == before) {
      alike.push_back(i);
    }
  }
  if (first.empty()) {
    return ir::not_supported("no tensor");
  }
  const int32_t most = before + 3;
  std::string why;
  for (const std::vector<size_t>& args : {first, alike}) {
    // Sizes of the results, from which the line through them follows.
    std::vector<Values> outs;
    for (const int32_t size : {before, before + 1, most}) {
      Expected<Values> got = evaluate(resized(call, args, dim, size));
      if (!got.ok()) {
        why = got.error().text;
        break;
      }
      outs.push_back(*got);
    }
    if (outs.size() != 3) {
      continue;
    }
    Call largest = resized(call, args, dim, most);
    largest.outs = outs[2];
    Expected<Model> model = model_of(largest);
    if (!model.ok()) {
      return model.error();
    }
    const ir::Dim s = ir::Dim::symbol("s0");
    for (size_t i = 0; i < model->graph->inputs.size(); ++i) {
      if (std::find(args.begin(), args.end(), model->input_args[i]) != args.end()) {
        model->graph->inputs[i].value->type.tensor.sizes[dim] = s;
      }
    }
    const auto& results = model->graph->nodes().back()->results();
    bool linear = true;
    for (size_t r = 0; r < results.size(); ++r) {
      const auto* a = outs[0][r].get<HostTensor>();
      for (size_t d = 0; a != nullptr && d < a->rank(); ++d) {
        const int64_t at_before = a->sizes()[d];
        const int64_t slope = outs[1][r].get<HostTensor>()->sizes()[d] - at_before;
        linear = linear && outs[2][r].get<HostTensor>()->sizes()[d] == at_before + 3 * slope;
        results[r]->type.tensor.sizes[d] = s * ir::Dim(slope) + ir::Dim(at_before - slope * before);
      }
    }
    if (!linear) {
      why = "sizes of results are no line";
      continue;
    }
    model->graph->ranges["s0"] = {before, most};
    model->label += fmt::format(", size {} varies", dim);
    const auto inputs_at = [&](int32_t size) {
      CaseGraph made;
      static_cast<void>(made.add(*call.op, false, as_case(resized(call, args, dim, size))));
      return values_of(made.inputs);
    };
    model->runs = {inputs_at(most), inputs_at(before), rearranged(inputs_at(before + 1)),
                   inputs_at(most)};
    return model;
  }
  return ir::not_supported(why);
}

Expected<Trial> compiled(const Subject& subject, Model model) {
  Trial trial;
  compiler::CompileOptions options;
  options.kernels = portable_only();
  options.verify = true;
  auto plain = compiler::compile({ir::clone(*model.graph).graph}, options);
  if (!plain.ok()) {
    return plain.error();
  }
  trial.plain = std::move(*plain);
  options.backends = {subject.compiler};
  auto ours = compiler::compile({ir::clone(*model.graph).graph}, options);
  trial.model = std::move(model);
  if (!ours.ok()) {
    return ir::error(Status::kInternal,
                     "compiles without the backend, but with it: " + ours.error().text);
  }
  trial.ours = std::move(*ours);
  trial.delegates = trial.ours.delegation[0].delegates.size();
  for (const partitioner::NodeReport* node : trial.ours.delegation[0].left()) {
    trial.left += (trial.left.empty() ? "" : "; ") + node->reason;
  }
  return trial;
}

Expected<std::vector<Values>> references(const Trial& trial) {
  ModuleOptions options;
  options.kernels.assign(portable_only().begin(), portable_only().end());
  const auto module =
      Module::from_bytes(data::FileBytes::own(trial.plain.program), "reference", options);
  if (!module.ok()) {
    return module.error();
  }
  std::vector<Values> results;
  for (const Values& inputs : trial.model.runs) {
    auto outputs = (*module)->forward(inputs);
    if (!outputs.ok()) {
      return outputs.error();
    }
    results.push_back(std::move(*outputs));
  }
  return results;
}

std::string difference(const Values& got, const Values& want, bool exact) {
  if (got.size() != want.size()) {
    return fmt::format("{} outputs, want {}", got.size(), want.size());
  }
  for (size_t i = 0; i < want.size(); ++i) {
    data::Tolerance tolerance;
    const auto* tensor = want[i].get<HostTensor>();
    if (!exact && tensor != nullptr && is_floating(tensor->dtype())) {
      const bool half = dtype_bytes(tensor->dtype()) < sizeof(float);
      const HostTensor wide = tensor->converted(DType::kFloat64);
      double largest = 0;
      for (int64_t k = 0; k < wide.numel(); ++k) {
        const double size = std::abs(wide.data<double>()[k]);
        largest = std::isfinite(size) ? std::max(largest, size) : largest;
      }
      tolerance = {half ? 1e-2 : 1e-4, (half ? 2e-3 : 1e-5) * largest};
    }
    if (const auto why = data::mismatch(got[i], want[i], tolerance)) {
      return fmt::format("output {}: {}", i, *why);
    }
  }
  return "";
}

std::string run(const Subject& subject, const Trial& trial) {
  const auto wanted = references(trial);
  if (!wanted.ok()) {
    return "reference: " + wanted.error().text;
  }
  Loaded first(trial.ours, subject.runtime), second(trial.ours, subject.runtime);
  for (Loaded* instance : {&first, &second}) {
    if (!ok(instance->load())) {
      return fmt::format("load: {}", instance->text());
    }
  }
  for (size_t i = 0; i < wanted->size(); ++i) {
    // The results of one must outlast a call of the other.
    for (Loaded* instance : {&first, &second}) {
      if (!ok(instance->run(trial.model.runs[i]))) {
        return fmt::format("call {}: {}", i, instance->text());
      }
      if (instance->execute_allocations() != 0) {
        return fmt::format("call {} takes memory from the heap", i);
      }
    }
    for (Loaded* instance : {&first, &second}) {
      if (const std::string why = difference(instance->outputs(), (*wanted)[i], trial.model.exact);
          !why.empty()) {
        return fmt::format("call {} of the {} instance: {}", i,
                           instance == &first ? "first" : "second", why);
      }
      if (!instance->intact()) {
        return fmt::format("call {}: memory behind the arena or a tensor was written", i);
      }
    }
  }
  return "";
}

}  // namespace cresset::tests
