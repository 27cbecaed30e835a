// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "extensions/data/cases.h"
#include "ops/kernel_table.h"
#include "ops/op.h"

namespace cresset::tests {

// The operator that a case file is about, by its name: `<namespace>.<name>.<overload>.safetensors`.
// Null where the table has neither that overload nor an out variant of that name.
const ops::OpInfo* op_of_file(const std::string& path);

// Runs one case on the kernel; returns what is wrong, empty where nothing is. Outputs are poisoned;
// a row whose output may lie on an input is run a second time that way.
std::string run_case(const ops::OpInfo& op, const ops::Kernel& kernel,
                     const data::OperatorCase& call);

}  // namespace cresset::tests
