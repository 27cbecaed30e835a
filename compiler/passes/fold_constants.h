// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>

#include "compiler/passes/passes.h"

namespace cresset::passes {

// Whether the node makes numbers of what the model holds in fewer bits.
bool unpacks(const ir::Node& node);

// Replaces the results of every node that depends on constants only and that `wanted` holds for
// (empty: every node) by constants, where the file does not grow much. Composites are rewritten to
// rows for it.
ir::Error fold_nodes(ir::Graph& graph, const PassContext& context,
                     const std::function<bool(const ir::Node&)>& wanted);

}  // namespace cresset::passes
