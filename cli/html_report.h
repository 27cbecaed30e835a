// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "compiler/pipeline.h"

namespace cresset::cli {

// The report of a compilation as one page without outside parts: what became of every node, drawn
// and listed, the delegates, the steps and their memory.
std::string html_report(const compiler::CompileResult& result);

}  // namespace cresset::cli
