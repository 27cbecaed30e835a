// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "compiler/pipeline.h"

namespace cresset::cli {

// What became of every node of every method, as JSON or, where the path ends in .html, as a page.
std::string compile_report(const std::string& path, const compiler::CompileResult& result);

// The rows that the program calls, in the form of a kernel library's kernels.def, with the dtypes
// of each as comments: what -DCRESSET_SELECTED_OPS=FILE takes.
std::string selected_ops(const compiler::CompileResult& result, ops::KernelTables kernels);

}  // namespace cresset::cli
