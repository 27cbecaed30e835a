// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "compiler/ir/graph.h"

namespace cresset::ir {

// What is wrong with the argument as the schema has it ("is a string, expected a tensor"); empty
// where nothing is. Rows take numbers where the schema says Scalar; composites take tensors there
// as well, as PyTorch does.
std::string argument_fault(const ops::OpInfo& info, size_t i, const Argument& argument);

// "a tensor", "a list", "a string": how messages speak of an argument.
std::string kind_of(const Argument& argument);

}  // namespace cresset::ir
