// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>

#include "compiler/quantizer/insert.h"
#include "compiler/quantizer/observe.h"
#include "compiler/quantizer/plan.h"

namespace cresset::quantizer {

// The SQNR of outputs that are exact but for being rounded to 8 bits over their observed range.
double rounded_outputs_db(const Observations& observed);

// The nodes that must stay in float, by the names of their first results, each with the reason, for
// the outputs to reach `wanted_db` on the calibration data: as few as that takes, those first whose
// rounding alone harms the outputs most. `unfit` are left out of the plan already.
ir::Expected<LeftNodes> find_sensitive(const ir::Graph& graph, const Plan& plan,
                                       const LeftNodes& unfit, const QParamsByName& qparams,
                                       const Observations& observed, const Options& options,
                                       const Calibration& calibration, const Context& context,
                                       double wanted_db);

}  // namespace cresset::quantizer
