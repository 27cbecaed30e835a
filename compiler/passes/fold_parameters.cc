// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/fold_constants.h"

namespace cresset::passes {

namespace {

// Numbers that the model holds in fewer bits: what multiplies them takes them as they are.
bool unpacks(const ir::Node& node) {
  return node.info().name.find("::dequantize") != std::string_view::npos;
}

}  // namespace

ir::Error fold_parameters(ir::Graph& graph, const PassContext& context) {
  return fold_nodes(graph, context, [](const ir::Node& node) { return !unpacks(node); });
}

}  // namespace cresset::passes
