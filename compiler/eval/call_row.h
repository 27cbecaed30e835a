// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <utility>
#include <vector>

#include "compiler/eval/datum.h"
#include "core/parallel.h"
#include "ops/kernel_table.h"

namespace cresset::eval {

struct RowResults {
  std::vector<Datum> results;  // in the schema's order, lists flattened
  // Arguments that the operator wrote into: position in the schema, and the new contents.
  std::vector<std::pair<size_t, ir::ConstantPtr>> written;
};

// Runs the operator's kernel once. `args` are the schema's in order and complete; every value among
// them is a constant. Outputs are as the row's rule gives them, in the dim order of `declared`;
// where the rule leaves them to the kernel, `declared` (one type a result) bounds them: an unknown
// size gets room for as much as `ranges` allows, or else room that grows until the kernel is
// content. Outputs hold 0xA5 bytes when the kernel starts. Fails with the kernel's or the rule's
// text, or kOperatorMissing where no table has the operator.
ir::Expected<RowResults> call_row(ops::KernelTables tables, const ops::OpInfo& info,
                                  const std::vector<ir::Argument>& args,
                                  const std::vector<ir::Type>& declared, const ir::Ranges& ranges,
                                  ParallelFor* parallel);

}  // namespace cresset::eval
