// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/fold_constants.h"

namespace cresset::passes {

ir::Error fold_parameters(ir::Graph& graph, const PassContext& context) {
  // What multiplies packed numbers takes them as they are.
  return fold_nodes(graph, context, [](const ir::Node& node) { return !unpacks(node); });
}

}  // namespace cresset::passes
