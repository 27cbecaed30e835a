// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"

namespace cresset::ir {

// The types of a row's results for these arguments, by the row's inference rule over symbolic
// sizes: what the runtime will compute for concrete ones. Tensor results keep the dim order of the
// first tensor argument of the same rank where the operator is elementwise or marked so, and are
// row-major otherwise. `list_results`: how many tensors a list result has (split, unbind). Fails
// for composites, for rows whose sizes depend on data, and for arguments that the operator refuses.
Expected<std::vector<Type>> infer(const ops::OpInfo& info, const std::vector<Argument>& args,
                                  size_t list_results = 0);

// Adds a node whose result types follow from the rule, for passes that build graphs. The node takes
// debug handle and source of `origin` (may be null).
Expected<Node*> build(Graph& graph, ops::Op op, std::vector<Argument> args, Node* before,
                      const Node* origin, size_t list_results = 0);

}  // namespace cresset::ir
