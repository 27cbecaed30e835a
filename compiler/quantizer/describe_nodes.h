// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>

#include "compiler/quantizer/insert.h"
#include "compiler/quantizer/observe.h"
#include "compiler/quantizer/plan.h"
#include "compiler/quantizer/report.h"

namespace cresset::quantizer {

// What was learnt about the nodes of a plan, by names of values.
struct NodeFindings {
  QParamsByName qparams;
  const Observations* observed = nullptr;
  std::map<std::string, double> weight_sqnr_db, total_sqnr_db;
};

// Fills the report's nodes: those of the plan and those that it left in float.
void describe_nodes(const ir::Graph& graph, const Plan& plan, const NodeFindings& findings,
                    const Options& options, Report* report);

}  // namespace cresset::quantizer
