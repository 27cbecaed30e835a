// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/quantizer/describe_nodes.h"
#include "compiler/quantizer/insert.h"
#include "compiler/quantizer/observe.h"
#include "compiler/quantizer/plan.h"
#include "compiler/quantizer/scheme.h"
#include "compiler/quantizer/sensitivity.h"
#include "compiler/quantizer/unfit.h"

namespace cresset::quantizer {

namespace {

using Kind = Rule::Kind;
using ir::Value;

// Two ranges are close enough for one to serve both, at a concatenation.
constexpr double kSharedRangeRatio = 2;
// Enough for a figure; all of them would take as long as calibration.
constexpr size_t kSamplesToCompare = 4;

// Below, outputs are hardly what the model computes.
constexpr double kPoorDb = 10;

QParamsByName choose_qparams(const Plan& plan, const Observations& observed,
                             const Options& options) {
  QParamsByName qparams;
  for (const Value* owner : plan.owners()) {
    const auto found = observed.values.find(owner->name);
    qparams[owner->name] =
        found == observed.values.end() ? QParams() : found->second.choose(options.ranges);
  }
  for (const Unit& unit : plan.units) {
    if (unit.rule->fixed) {
      for (const Value* output : unit.outputs()) {
        qparams[output->name] = affine_qparams(unit.rule->low, unit.rule->high);
      }
    }
  }
  // The parts of a concatenation take the whole's parameters where that costs little.
  std::map<std::string, bool> shared;
  for (const Unit& unit : plan.units) {
    if (unit.rule->kind != Kind::kConcat) {
      continue;
    }
    const std::string& whole = unit.outputs()[0]->name;
    for (Value* input : unit.inputs()) {
      const std::string& part = plan.owner(input)->name;
      const auto found = qparams.find(part);
      if (found != qparams.end() && !shared[part] &&
          qparams[whole].scale <= found->second.scale * kSharedRangeRatio) {
        found->second = qparams[whole];
        shared[part] = true;
      }
    }
  }
  return qparams;
}

std::map<std::string, std::vector<double>> input_means(const Observations& observed) {
  std::map<std::string, std::vector<double>> means;
  for (const auto& [name, observer] : observed.values) {
    means[name] = observer.channel_means();
  }
  return means;
}

}  // namespace

ir::Error quantize_int8(Job& job) {
  Plan plan = make_plan(job.graph, job.options);
  if (plan.units.empty()) {
    describe_nodes(job.graph, plan, {}, job.options, &job.report);
    return {};
  }
  ir::Expected<Observations> observed = observe(job.graph, plan, job.calibration, job.context);
  if (!observed.ok()) {
    return observed.error();
  }
  NodeFindings findings;
  findings.qparams = choose_qparams(plan, *observed, job.options);
  const LeftNodes unfit = find_unfit(plan, findings.qparams, *observed);
  plan = make_plan(job.graph, job.options, {}, unfit);
  if (job.options.max_drop_db) {
    const double wanted = rounded_outputs_db(*observed) - *job.options.max_drop_db;
    const ir::Expected<LeftNodes> keep =
        find_sensitive(job.graph, plan, unfit, findings.qparams, *observed, job.options,
                       job.calibration, job.context, wanted);
    if (!keep.ok()) {
      return keep.error();
    }
    plan = make_plan(job.graph, job.options, *keep, unfit);
  }
  const ir::Expected<Inserted> inserted =
      insert(job.graph, plan, findings.qparams, job.options,
             job.options.correct_bias ? input_means(*observed)
                                      : std::map<std::string, std::vector<double>>());
  if (!inserted.ok()) {
    return inserted.error();
  }
  const ir::Expected<Comparison> comparison =
      compare(job.graph, *inserted, findings.qparams, *observed, job.calibration, job.context,
              kSamplesToCompare);
  if (!comparison.ok()) {
    return comparison.error();
  }
  if (comparison->sqnr_db < kPoorDb) {
    job.report.warnings.push_back(
        fmt::format("the outputs keep only {:.1f} dB; --max-drop DB leaves the nodes in float that "
                    "cost most, --keep-float those that you name",
                    comparison->sqnr_db));
  }
  findings.observed = &*observed;
  findings.weight_sqnr_db = inserted->weight_sqnr_db;
  findings.total_sqnr_db = comparison->total_sqnr_db;
  job.report.outputs = comparison->outputs;
  describe_nodes(job.graph, plan, findings, job.options, &job.report);
  return {};
}

}  // namespace cresset::quantizer
