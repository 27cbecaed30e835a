// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "ops/op_info.h"

namespace cresset::cli {

// The names of the libraries that have a kernel for the operator, in the order of search: the first
// one computes it. Empty for operators that are none of our rows.
std::vector<std::string> kernel_libraries(const ops::OpInfo& op);

}  // namespace cresset::cli
