// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/sensitivity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/ir/clone.h"
#include "compiler/quantizer/decibels.h"

namespace cresset::quantizer {

namespace {

// Enough to judge a choice by; ranking runs one a node.
constexpr size_t kSamplesToJudge = 4;

struct Trial {
  const ir::Graph& graph;
  const LeftNodes& unfit;
  const QParamsByName& qparams;
  const Observations& observed;
  const Options& options;
  const Calibration& calibration;
  const Context& context;

  // The outputs' SQNR where the nodes in `keep` stay in float.
  ir::Expected<double> run(const LeftNodes& keep, size_t samples) const {
    const ir::ClonedGraph cloned = ir::clone(graph);
    const Plan plan = make_plan(*cloned.graph, options, keep, unfit);
    const ir::Expected<Inserted> inserted = insert(*cloned.graph, plan, qparams, options);
    if (!inserted.ok()) {
      return inserted.error();
    }
    const ir::Expected<Comparison> comparison =
        compare(*cloned.graph, *inserted, qparams, observed, calibration, context, samples);
    return comparison.ok() ? ir::Expected<double>(comparison->sqnr_db) : comparison.error();
  }
};

}  // namespace

double rounded_outputs_db(const Observations& observed) {
  double power = 0;
  double noise = 0;
  const size_t outputs = observed.outputs.empty() ? 0 : observed.outputs[0].size();
  for (size_t k = 0; k < outputs; ++k) {
    Observer observer;
    for (const std::vector<eval::Datum>& sample : observed.outputs) {
      const ir::ConstantPtr& tensor = eval::tensor_of(sample[k]);
      if (tensor != nullptr && tensor->type.dtype == DType::kFloat32) {
        observer.add(reinterpret_cast<const float*>(tensor->bytes),
                     tensor->size_bytes / sizeof(float));
      }
    }
    const double step = affine_qparams(observer.min(), observer.max()).scale;
    power += observer.power() * static_cast<double>(observer.count());
    noise += step * step / 12 * static_cast<double>(observer.count());
  }
  return decibels(power, noise);
}

ir::Expected<LeftNodes> find_sensitive(const ir::Graph& graph, const Plan& plan,
                                       const LeftNodes& unfit, const QParamsByName& qparams,
                                       const Observations& observed, const Options& options,
                                       const Calibration& calibration, const Context& context,
                                       double wanted_db) {
  const Trial trial{graph, unfit, qparams, observed, options, calibration, context};
  std::vector<const Unit*> candidates;
  for (const Unit& unit : plan.units) {
    if (unit.rule->kind != Rule::Kind::kPass) {
      candidates.push_back(&unit);
    }
  }
  std::vector<std::pair<double, const Unit*>> ranked;  // SQNR where only this one is quantized
  for (const Unit* candidate : candidates) {
    LeftNodes others;
    for (const Unit* unit : candidates) {
      if (unit != candidate) {
        leave_unit(*unit, "", &others);
      }
    }
    const ir::Expected<double> sqnr = trial.run(others, 1);
    if (!sqnr.ok()) {
      return sqnr.error();
    }
    ranked.emplace_back(*sqnr, candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto first = [&](size_t count) {
    LeftNodes keep;
    for (size_t i = 0; i < count; ++i) {
      leave_unit(*ranked[i].second,
                 fmt::format("sensitive: its rounding alone leaves the outputs {:.1f} dB",
                             ranked[i].first),
                 &keep);
    }
    return keep;
  };
  // `low` are too few; of `high` we know that they do, or that there are no more.
  size_t low = 0;
  size_t high = ranked.size();
  for (size_t count = 0; low < high; count = (low + high) / 2) {
    const ir::Expected<double> sqnr = trial.run(first(count), kSamplesToJudge);
    if (!sqnr.ok()) {
      return sqnr.error();
    }
    if (*sqnr >= wanted_db) {
      high = count;
    } else {
      low = count + 1;
    }
  }
  return first(high);
}

}  // namespace cresset::quantizer
