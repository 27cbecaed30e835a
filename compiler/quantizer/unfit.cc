// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/unfit.h"

#include <fmt/core.h>

namespace cresset::quantizer {

namespace {

// Activations lose half of what is small in them.
constexpr double kMostLost = 0.9;

// Why these numbers cannot be 8-bit integers; empty where they can.
std::string why_not(const Observer& observer, const QParams& q) {
  if (observer.not_finite() != 0) {
    return "infinite numbers have no 8-bit form";
  }
  if (const double lost = observer.lost(q); lost > kMostLost) {
    return fmt::format("8 bits for [{:.4g}, {:.4g}] would make 0 of {:.0f} % of its small numbers",
                       observer.min(), observer.max(), lost * 100);
  }
  return "";
}

}  // namespace

LeftNodes find_unfit(const Plan& plan, const QParamsByName& qparams, const Observations& observed) {
  std::map<std::string, std::string> values;  // by owner
  for (const auto& [name, observer] : observed.values) {
    if (const auto q = qparams.find(name); q != qparams.end()) {
      values[name] = why_not(observer, q->second);
    }
  }
  // Where the function fixes the range, small numbers may become 0: that is what 8 bits of it are.
  for (const Unit& unit : plan.units) {
    for (const ir::Value* output : unit.outputs()) {
      if (unit.rule->fixed) {
        values[output->name].clear();
      }
    }
  }
  LeftNodes unfit;
  for (const Unit& unit : plan.units) {
    std::vector<ir::Value*> touched = unit.inputs();
    touched.insert(touched.end(), unit.outputs().begin(), unit.outputs().end());
    for (ir::Value* value : touched) {
      const std::string& why = values[plan.owner(value)->name];
      if (!why.empty()) {
        leave_unit(unit, why, &unfit);
        break;
      }
    }
  }
  return unfit;
}

}  // namespace cresset::quantizer
