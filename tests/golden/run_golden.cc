// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/golden/run_golden.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "compiler/eval/eval.h"
#include "compiler/ir/parse.h"
#include "compiler/ir/print.h"
#include "compiler/ir/text.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/passes.h"
#include "kernels/registry.h"

namespace cresset::tests {

namespace {

using GraphPtr = std::shared_ptr<ir::Graph>;
using Data = std::vector<eval::Datum>;

struct NamedPass {
  const char* name;
  ir::Error (*run)(ir::Graph&, const passes::PassContext&);
};
constexpr NamedPass kPasses[] = {
#define PASS(name, summary) {#name, passes::name},
#include "compiler/passes/passes.def"
#undef PASS
};

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

passes::PassContext context_of(const GoldenCase& golden) {
  passes::PassContext context;
  context.has_kernel = [&golden](const ir::Node& node) {
    return !contains(golden.without, node.info().id);
  };
  context.takes_any_order = [&golden](const ir::Node& node) {
    return !contains(golden.row_major, node.info().id);
  };
  context.keeps_composite = [&golden](const ir::Node& node) {
    return contains(golden.keeps, node.info().id);
  };
  context.requantization = golden.requantize == "fixed"    ? ops::Requantization::kFixed
                           : golden.requantize == "narrow" ? ops::Requantization::kNarrow
                                                           : ops::Requantization::kFloat;
  context.evaluate = [](const ir::Node& node) -> ir::Expected<std::vector<ir::ConstantPtr>> {
    ir::Expected<Data> results = eval::evaluate_node(node, kernels::host_kernels());
    if (!results.ok()) {
      return results.error();
    }
    std::vector<ir::ConstantPtr> constants;
    for (const eval::Datum& datum : *results) {
      if (eval::tensor_of(datum) == nullptr) {
        return ir::not_supported("a number is no constant");
      }
      constants.push_back(eval::tensor_of(datum));
    }
    return constants;
  };
  return context;
}

ir::Error run_passes(const GoldenCase& golden, ir::Graph* graph) {
  const passes::PassContext context = context_of(golden);
  for (const std::string& name : golden.passes) {
    const auto* pass = std::find_if(std::begin(kPasses), std::end(kPasses),
                                    [&](const NamedPass& p) { return p.name == name; });
    if (pass == std::end(kPasses)) {
      return ir::bad_model("there is no pass '" + name + "'");
    }
    if (ir::Error e = pass->run(*graph, context)) {
      return e;
    }
  }
  return {};
}

ir::VerifyOptions rules_after(const GoldenCase& golden) {
  ir::VerifyOptions options;
  options.functional = contains(golden.passes, "functionalize");
  options.rows_only = contains(golden.passes, "decompose") && golden.keeps.empty();
  return options;
}

std::string text_of(const ir::Graph& graph) {
  ir::PrintOptions options;
  options.sources = false;
  return ir::print(graph, options);
}

// Made-up inputs; symbols get the least of their range, but 2 at least where that is allowed.
ir::Expected<Data> inputs_for(const ir::Graph& graph) {
  std::map<std::string, int64_t> symbols;
  for (const auto& [name, range] : graph.ranges) {
    symbols[name] = std::min(std::max<int64_t>(range.min, 2), range.max);
  }
  Data data;
  for (const ir::UserInput& input : graph.inputs) {
    if (input.value == nullptr) {
      data.emplace_back();
      continue;
    }
    ir::Type type = input.value->type;
    if (!type.is_tensor()) {
      const std::optional<int64_t> known = type.value.evaluate(symbols);
      data.emplace_back(type.kind == ir::Type::Kind::kFloat  ? Scalar::of_double(0.5)
                        : type.kind == ir::Type::Kind::kBool ? Scalar::of_bool(true)
                                                             : Scalar::of_int(known.value_or(1)));
      continue;
    }
    for (ir::Dim& size : type.tensor.sizes) {
      size = size.evaluate(symbols).value_or(2);
    }
    ir::Expected<ir::ConstantPtr> tensor =
        ir::constant_pattern("", type.tensor, ir::digest(input.name.data(), input.name.size()));
    if (!tensor.ok()) {
      return tensor.error();
    }
    data.emplace_back(*tensor);
  }
  return data;
}

// Everything that a run leaves: outputs, updates of inputs, contents of buffers by name.
ir::Expected<Data> compute(const ir::Graph& graph, const Data& inputs) {
  for (const auto& node : graph.nodes()) {
    if ((node->info().traits & ops::kRandom) != 0) {
      return ir::not_supported("random numbers differ from run to run");
    }
  }
  eval::Evaluator evaluator(graph, kernels::host_kernels());
  ir::Expected<Data> results = evaluator.run(inputs);
  if (!results.ok()) {
    return results;
  }
  results->insert(results->end(), evaluator.input_updates().begin(),
                  evaluator.input_updates().end());
  for (const ir::Buffer& buffer : graph.buffers) {
    results->emplace_back(evaluator.buffer(buffer.name));
  }
  return results;
}

// The elements in row-major order.
std::vector<double> numbers_of(const eval::Datum& datum) {
  std::vector<double> numbers;
  const ir::ConstantPtr& tensor = eval::tensor_of(datum);
  if (tensor == nullptr) {
    const ir::Expected<Scalar> number = eval::number_of(datum);
    return number.ok() ? std::vector<double>{number->to_double()} : numbers;
  }
  ir::TensorType plain{tensor->type.dtype, tensor->type.sizes, {}};
  const ir::ConstantPtr rows = eval::reordered(tensor, plain.order());
  const size_t item = dtype_bytes(plain.dtype);
  for (size_t at = 0; at < rows->size_bytes; at += item) {
    ir::Constant one;
    one.type.dtype = plain.dtype;
    one.bytes = rows->bytes + at;
    one.size_bytes = item;
    const ir::Expected<Scalar> number = eval::number_of(std::make_shared<ir::Constant>(one));
    numbers.push_back(number.ok() ? number->to_double() : 0);
  }
  return numbers;
}

std::string compare(const Data& before, const Data& after) {
  for (size_t i = 0; i < before.size() && i < after.size(); ++i) {
    if (eval::describe(before[i]) != eval::describe(after[i]) &&
        eval::tensor_of(before[i]) != nullptr) {
      return fmt::format("value {} was {}, is {}", i, eval::describe(before[i]),
                         eval::describe(after[i]));
    }
    const std::vector<double> a = numbers_of(before[i]), b = numbers_of(after[i]);
    for (size_t k = 0; k < a.size(); ++k) {
      const double allowed = 1e-4 * std::max({1.0, std::abs(a[k]), std::abs(b[k])});
      if (!(std::abs(a[k] - b[k]) <= allowed) && !(std::isnan(a[k]) && std::isnan(b[k])) &&
          a[k] != b[k]) {
        return fmt::format("element {} of value {} was {}, is {}", k, i, a[k], b[k]);
      }
    }
  }
  return before.size() == after.size() ? "" : "the graph gives another number of values";
}

// Makes rows of composites, where nothing writes, so that the graph can be computed.
void decompose(ir::Graph* graph) {
  bool composites = false;
  for (const auto& node : graph->nodes()) {
    composites = composites || node->info().composite;
    if (node->in_place || (node->info().traits & ops::kWrites) != 0) {
      return;
    }
  }
  if (composites) {
    static_cast<void>(passes::decompose(*graph, {}));  // what stays is found out when computed
  }
}

// May change the graphs.
std::string check_numbers(ir::Graph& before, ir::Graph& after, bool* computed) {
  decompose(&before);
  decompose(&after);
  const ir::Expected<Data> inputs = inputs_for(before);
  if (!inputs.ok() || before.buffers.size() != after.buffers.size()) {
    return "";
  }
  const ir::Expected<Data> a = compute(before, *inputs);
  if (!a.ok()) {
    return "";
  }
  const ir::Expected<Data> b = compute(after, *inputs);
  if (!b.ok()) {  // normalize may have chosen a composite
    return b.error().status == Status::kOperatorMissing
               ? ""
               : "the result does not run: " + b.error().text;
  }
  *computed = true;
  return compare(*a, *b);
}

std::string check_error(const GoldenCase& golden, const ir::Error& error) {
  if (golden.error.empty()) {
    return "unexpected error: " + error.text;
  }
  return error.text.find(golden.error) != std::string::npos
             ? ""
             : fmt::format("another error: {}\n  expected: {}", error.text, golden.error);
}

std::string side_by_side(const std::string& expected, const std::string& actual) {
  return "the result differs\n--- expected\n" + expected + "--- actual\n" + actual;
}

}  // namespace

GoldenOutcome run_golden_case(const GoldenCase& golden) {
  GoldenOutcome outcome;
  ir::Expected<GraphPtr> before = ir::parse_graph(golden.input);
  ir::Expected<GraphPtr> graph = ir::parse_graph(golden.input);
  if (!graph.ok() || !before.ok()) {
    outcome.fault = "input: " + graph.error().text;
    return outcome;
  }
  if (ir::Error e = ir::verify(**graph)) {
    outcome.fault = "input: " + e.text;
    return outcome;
  }
  if (ir::Error e = run_passes(golden, graph->get())) {
    outcome.fault = check_error(golden, e);
    outcome.actual = "error: " + e.text.substr(0, e.text.find('\n')) + "\n";
    return outcome;
  }
  const std::string text = text_of(**graph);
  outcome.actual = "expect:\n" + text;
  if (ir::Error e = ir::verify(**graph, rules_after(golden))) {
    outcome.fault = e.text + "\n" + text;
    outcome.actual.clear();
    return outcome;
  }
  const ir::Expected<GraphPtr> again = ir::parse_graph(text);
  if (!again.ok()) {
    outcome.fault = "the result's text does not parse: " + again.error().text + "\n" + text;
    return outcome;
  }
  outcome.fault = check_numbers(**before, **graph, &outcome.computed);
  if (!outcome.fault.empty()) {
    outcome.fault += "\n" + text;
    outcome.actual.clear();
    return outcome;
  }
  if (!golden.error.empty()) {
    outcome.fault = "no error, expected: " + golden.error;
    return outcome;
  }
  const ir::Expected<GraphPtr> expected = ir::parse_graph(golden.expect);
  if (!expected.ok()) {
    outcome.fault = "expect: " + expected.error().text + "\n" + text;
  } else if (text_of(**expected) != text_of(**again)) {
    outcome.fault = side_by_side(text_of(**expected), text);
  }
  return outcome;
}

}  // namespace cresset::tests
