// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "extensions/data/cases.h"
#include "extensions/module/module.h"

namespace cresset {

// Which of a case's results count, where it has both.
enum class Reference {
  kProgram,  // of the compiled program
  kModel,    // of the model that it was compiled from
};

// Runs one case on its loaded method (earlier cases' state included) and compares. Returns what is
// wrong in one line that names the output, the worst element, got and want; empty where nothing is.
std::string check_case(Module& module, const data::ProgramCase& program_case,
                       Reference reference = Reference::kProgram);

}  // namespace cresset
