// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "extensions/data/cases.h"
#include "ops/kernel_table.h"
#include "ops/op.h"
#include "tests/conformance/stopwatch.h"

namespace cresset::tests {

// What a case file is about.
struct CaseSubject {
  const ops::OpInfo* op = nullptr;  // null: the tables do not have it
  bool in_place = false;            // the form of it that writes into its first argument
};

// By the file's name: `<namespace>.<name>.<overload>.safetensors`, where the overload may be that
// of an out variant.
CaseSubject subject_of_file(const std::string& path);

// Runs one case on the kernel; returns what is wrong, empty where nothing is. Outputs are poisoned;
// a row whose output may lie on an input is run a second time that way. `watch` times the kernel:
// the laps after the first are called only where nothing is wrong.
std::string run_case(const ops::OpInfo& op, const ops::Kernel& kernel,
                     const data::OperatorCase& call, Stopwatch* watch);

}  // namespace cresset::tests
