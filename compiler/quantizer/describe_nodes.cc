// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/describe_nodes.h"

#include <fmt/core.h>

#include "compiler/quantizer/decibels.h"

namespace cresset::quantizer {

namespace {

using Kind = Rule::Kind;

// A range so much wider than what nearly all numbers lie in that few integers are left for them.
constexpr double kOutlierRatio = 8;
constexpr double kOutlierTail = 1e-3;

std::string scheme_text(const Unit& unit, const Options& options) {
  switch (unit.rule->kind) {
    case Kind::kProduct:
      return options.per_tensor ? "int8, weights per tensor" : "int8, weights per channel";
    case Kind::kPass:
      return "int8, as its input";
    case Kind::kTable:
      return "int8, by table";
    case Kind::kClamp:
      return "int8, by table";
    default:
      return "int8";
  }
}

void warn(const Observer& observer, const QParams& q, NodeReport* node) {
  const double typical =
      std::max(observer.high(kOutlierTail), 0.0) - std::min(observer.low(kOutlierTail), 0.0);
  const double whole = std::max(observer.max(), 0.0) - std::min(observer.min(), 0.0);
  if (typical > 0 && whole > kOutlierRatio * typical) {
    node->warnings.push_back(fmt::format(
        "outliers: 99.8 % of the numbers lie in [{:.4g}, {:.4g}], all in [{:.4g}, {:.4g}]",
        observer.low(kOutlierTail), observer.high(kOutlierTail), observer.min(), observer.max()));
  }
  if (observer.not_finite() != 0) {
    node->warnings.push_back(fmt::format("{} numbers are infinite or NaN", observer.not_finite()));
  }
  if (observer.min() < q.low() - q.scale || observer.max() > q.high() + q.scale) {
    node->warnings.push_back(fmt::format("clipped to [{:.4g}, {:.4g}]", q.low(), q.high()));
  }
}

template <class T>
std::optional<T> lookup(const std::map<std::string, T>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional<T>(found->second);
}

void describe_unit(const Unit& unit, const Plan& plan, const NodeFindings& findings,
                   const Options& options, NodeReport* node) {
  node->quantized = true;
  node->scheme = scheme_text(unit, options);
  const std::string& owner = plan.owner(unit.outputs()[0])->name;
  node->qparams = lookup(findings.qparams, owner);
  node->weight_sqnr_db = lookup(findings.weight_sqnr_db, unit.node->result()->name);
  node->total_sqnr_db = lookup(findings.total_sqnr_db, owner);
  if (findings.observed == nullptr || !node->qparams) {
    return;
  }
  const auto found = findings.observed->values.find(owner);
  if (found == findings.observed->values.end()) {
    return;
  }
  const Observer& observer = found->second;
  node->low = observer.min();
  node->high = observer.max();
  if (unit.rule->kind != Kind::kPass) {
    node->sqnr_db = decibels(observer.power(), observer.error(*node->qparams));
    warn(observer, *node->qparams, node);
  }
}

}  // namespace

void describe_nodes(const ir::Graph& graph, const Plan& plan, const NodeFindings& findings,
                    const Options& options, Report* report) {
  for (const auto& owned : graph.nodes()) {
    const ir::Node* const node = owned.get();
    const auto unit = plan.unit_of.find(node);
    const auto left = plan.left.find(node);
    if (unit == plan.unit_of.end() && left == plan.left.end()) {
      continue;
    }
    NodeReport line;
    line.node = node->result()->name;
    line.op = std::string(node->info().name) +
              (node->info().overload.empty() ? "" : "." + std::string(node->info().overload));
    line.module = node->source.module;
    line.source = node->source.line;
    line.debug_handle = node->debug_handle;
    if (left != plan.left.end()) {
      line.reason = left->second;
      line.wanted_float = plan.wanted_left.contains(node);
    } else if (const Unit& described = plan.units[unit->second]; described.clamp == node) {
      line.quantized = true;
      line.scheme = "int8, part of " + described.node->result()->name;
    } else {
      describe_unit(described, plan, findings, options, &line);
    }
    report->nodes.push_back(std::move(line));
  }
}

}  // namespace cresset::quantizer
