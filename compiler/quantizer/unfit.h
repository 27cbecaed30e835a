// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/quantizer/insert.h"
#include "compiler/quantizer/observe.h"
#include "compiler/quantizer/plan.h"

namespace cresset::quantizer {

// The nodes of the plan that take or make numbers that 8-bit integers do not hold: infinities, such
// as a mask's; or numbers of so different sizes that most would become 0, such as powers of a
// spectrum, or attention scores behind a mask of -1e9. Without them the plan has no values that it
// did not have before.
LeftNodes find_unfit(const Plan& plan, const QParamsByName& qparams, const Observations& observed);

}  // namespace cresset::quantizer
