// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "compiler/ir/graph.h"

namespace cresset::ir {

// What does not fit between a control-flow node, its operands and its bodies; empty where all does,
// and for other nodes. Arguments are of the kinds that the schema says.
std::vector<std::string> body_faults(const Node& node);

// Whether dtype and rank are the same and no size is known to differ. Dim orders do not count.
bool may_be_same_shape(const TensorType& a, const TensorType& b);

}  // namespace cresset::ir
