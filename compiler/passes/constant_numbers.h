// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/graph.h"

// Constants as numbers that passes calculate with.
namespace cresset::passes {

using Doubles = std::vector<double>;

// The elements in the order of memory; nothing where the dtype is complex. int64 beyond 2^53 loses
// bits.
std::optional<Doubles> read_numbers(const ir::Constant& constant);
// The same for a value; nothing unless it is a constant.
std::optional<Doubles> read_numbers(const ir::Value* value);

// A constant with these elements in the order of memory; `values` must be representable in the
// dtype up to rounding.
ir::ConstantPtr write_numbers(const std::string& name, const ir::TensorType& type,
                              const Doubles& values);

// How many elements of memory lie between neighbours along each dimension of a static type.
std::vector<size_t> strides_of(const ir::TensorType& type);

}  // namespace cresset::passes
