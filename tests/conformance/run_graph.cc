// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/run_graph.h"

#include <fmt/core.h>

#include <vector>

#include "compiler/eval/eval.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/decompositions.h"
#include "compiler/passes/passes.h"
#include "compiler/targets/target.h"
#include "extensions/data/compare.h"
#include "tests/conformance/case_graph.h"

namespace cresset::tests {
namespace {

using data::HostValue;

std::string shown(const ir::Error& error) {
  return error.text.empty() ? status_text(error.status) : error.text;
}

bool has_kernel(ops::KernelTables kernels, const ir::Node& node) {
  static const ir::Expected<targets::Target> host = targets::find_target("host");
  return targets::why_not(*host, kernels, node).empty();
}

// A node that nothing computes; null where there is none.
const ir::Node* orphan(const ir::Graph& graph, ops::KernelTables kernels) {
  for (const auto& node : graph.nodes()) {
    if (!has_kernel(kernels, *node) && passes::find_decomposition(node->op()) == nullptr) {
      return node.get();
    }
  }
  return nullptr;
}

}  // namespace

std::string run_as_graph(const ops::OpInfo& op, bool in_place, ops::KernelTables kernels,
                         const data::OperatorCase& call, Stopwatch* watch) {
  const auto refused = [&](const std::string& stage, const std::string& why) {
    return call.expect.error ? "" : stage + ": " + why;
  };
  if (!call.expect.impossible.empty()) {
    return refused("case", call.expect.impossible);
  }
  CaseGraph subject;
  if (const Error error = subject.add(op, in_place, call); !error.ok()) {
    return refused("arguments", error.text);
  }
  passes::PassContext context;
  context.has_kernel = [&](const ir::Node& node) { return has_kernel(kernels, node); };
  for (const auto pass : {passes::functionalize, passes::normalize, passes::decompose}) {
    if (const ir::Error failure = pass(*subject.graph, context)) {
      return refused("compile", shown(failure));
    }
    if (pass == passes::normalize && orphan(*subject.graph, kernels) != nullptr) {
      return fmt::format("{} has neither a kernel nor a decomposition",
                         orphan(*subject.graph, kernels)->info().name);
    }
  }
  if (const ir::Error broken =
          ir::verify(*subject.graph, {.functional = true, .rows_only = true})) {
    return refused("decomposed", shown(broken));
  }
  eval::Evaluator evaluator(*subject.graph, kernels);
  const auto compute = [&] { return evaluator.run(subject.inputs); };
  const ir::Expected<std::vector<eval::Datum>> results = watch->lap(compute);
  if (!results.ok()) {
    return refused("run", shown(results.error()));
  }
  if (call.expect.error) {
    return fmt::format("accepted, must be refused: {}", call.expect.why);
  }
  if (results->size() != call.outs.size()) {
    return fmt::format("got {} results, want {}", results->size(), call.outs.size());
  }
  for (size_t i = 0; i < results->size(); ++i) {
    if (call.outs[i].is_none()) {
      continue;  // left out by PyTorch
    }
    const HostValue got = host_value((*results)[i]);
    const auto why = call.expect.random ? data::shape_mismatch(got, call.outs[i])
                                        : data::mismatch(got, call.outs[i], call.expect.tolerance);
    if (why) {
      return fmt::format("output {}: {}", i, *why);
    }
  }
  for (size_t lap = 1; lap < watch->laps(); ++lap) {
    static_cast<void>(watch->lap(compute));
  }
  return "";
}

}  // namespace cresset::tests
