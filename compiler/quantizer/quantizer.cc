// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/quantizer.h"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/quantizer/plan.h"
#include "compiler/quantizer/scheme.h"

namespace cresset::quantizer {

namespace {

struct Scheme {
  std::string_view name;
  bool calibrates;
  ir::Error (*run)(Job&);
};

constexpr Scheme kSchemes[] = {
#define SCHEME(id, name, calibrates, summary) {name, calibrates, quantize_##id},
#include "compiler/quantizer/schemes.def"
#undef SCHEME
};

const Scheme* find_scheme(const std::string& name) {
  for (const Scheme& scheme : kSchemes) {
    if (scheme.name == name) {
      return &scheme;
    }
  }
  return nullptr;
}

// The first node that shows that the model has been quantized.
const ir::Node* quantized_node(const ir::Graph& graph) {
  for (const auto& node : graph.nodes()) {
    const std::string_view name = node->info().name;
    if (name.starts_with("quantized_decomposed::") || name.starts_with("torchao::") ||
        name.starts_with("quantized::")) {
      return node.get();
    }
  }
  return nullptr;
}

bool names_a_node(const ir::Graph& graph, const std::string& pattern) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](const auto& node) {
    return (!node->results().empty() && is_named(*node, pattern)) ||
           std::any_of(node->args().begin(), node->args().end(), [&](const ir::Argument& argument) {
             return argument.is_graph() && names_a_node(*argument.graph(), pattern);
           });
  });
}

ir::Error refuse_leftovers(const Report& report) {
  std::string text;
  size_t count = 0;
  for (const NodeReport& node : report.nodes) {
    if (node.quantized || node.wanted_float) {
      continue;
    }
    if (++count <= 5) {
      text += fmt::format("\n  node '{}' ({}){}{}: {}", node.node, node.op,
                          node.source.empty() ? "" : ", ", node.source, node.reason);
    }
  }
  if (count == 0) {
    return {};
  }
  return ir::not_supported(fmt::format(
      "--strict: {} of '{}' cannot be quantized to {}:{}{}\n  --keep-float PATTERN says which may "
      "stay in float",
      count == 1 ? "1 node" : fmt::format("{} nodes", count), report.method, report.scheme, text,
      count > 5 ? fmt::format("\n  and {} more", count - 5) : ""));
}

}  // namespace

std::string scheme_names() {
  std::string names;
  for (const Scheme& scheme : kSchemes) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", scheme.name);
  }
  return names;
}

ir::Error check_scheme(const std::string& name) {
  return find_scheme(name) != nullptr
             ? ir::Error{}
             : ir::error(Status::kInvalidArgument,
                         fmt::format("unknown scheme '{}'; known: {}", name, scheme_names()));
}

bool has_ranges(const std::string& scheme) { return find_scheme(scheme)->calibrates; }

ir::Expected<Report> quantize(ir::Graph& graph, const Options& options,
                              const Calibration& calibration, const Context& context) {
  if (ir::Error unknown = check_scheme(options.scheme)) {
    return unknown;
  }
  if (const ir::Node* const node = quantized_node(graph)) {
    return ir::error(Status::kInvalidArgument,
                     fmt::format("'{}' is quantized already: {}; compile it without --quantize, or "
                                 "quantize the float model",
                                 graph.name, ir::describe(*node)));
  }
  const Scheme& scheme = *find_scheme(options.scheme);
  if (scheme.calibrates && calibration.samples.empty()) {
    return ir::error(
        Status::kInvalidArgument,
        fmt::format("--quantize {}: '{}' needs calibration data: --calibrate with a case file, an "
                    ".npz or .safetensors of inputs, or a folder of .npy files or pictures; or "
                    "--calibrate random, to try without (accuracy then means nothing)",
                    options.scheme, graph.name));
  }
  Report report;
  report.method = graph.name;
  report.scheme = options.scheme;
  report.samples = calibration.samples.size();
  for (const std::string& pattern : options.keep_float) {
    if (!names_a_node(graph, pattern)) {
      report.warnings.push_back(
          fmt::format("--keep-float {}: no module, operator or node has that name", pattern));
    }
  }
  Job job{graph, options, calibration, context, report};
  if (ir::Error failure = scheme.run(job)) {
    return failure;
  }
  if (calibration.random) {
    report.warnings.push_back(
        "calibrated on random numbers: ranges and accuracy are not meaningful");
  }
  if (options.strict) {
    if (ir::Error leftovers = refuse_leftovers(report)) {
      return leftovers;
    }
  }
  return report;
}

}  // namespace cresset::quantizer
