// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/passes/builder.h"

namespace cresset::passes {

// Rewrites the builder's node: gives the values that take the place of its results, in order (fewer
// where the rest is unused). Their dtype may differ from the recorded one: `apply` casts.
using Decomposition = Values (*)(Builder& b);

// Null where there is none.
Decomposition find_decomposition(Op op);

// Runs the decomposition for the node and checks what it gives against the recorded types. The
// values take the recorded sizes where they are equal in meaning but not in form. The node itself
// stays.
ir::Expected<Values> apply(Decomposition decomposition, ir::Graph& graph, Node* node);

// One function an operator, named like its id (decompositions.def).
namespace decompositions {
#define DECOMPOSITION(id) Values id(Builder& b);
#include "compiler/passes/decompositions.def"
#undef DECOMPOSITION
}  // namespace decompositions

// Building blocks that several decompositions share.

// What training computes: the normalised input with batch statistics over all dims but 1.
// `mean` and `rstd` get the statistics, of shape [C].
Value* batch_norm_training(Builder& b, Value* x, Value* weight, Value* bias, double eps,
                           Value** mean, Value** rstd);
// The sizes that both broadcast to.
Dims broadcast(Builder& b, const Dims& x, const Dims& y);
// PyTorch's matmul for any ranks.
Value* matmul(Builder& b, Value* left, Value* right);
// x * weight^T + bias over the last dimension.
Value* linear(Builder& b, Value* x, Value* weight, Value* bias);
// The singular values of the last two dimensions, descending.
Value* singular_values(Builder& b, Value* x);
// Over the singular values of these two dimensions: the greatest (order 2), the least (-2), the sum
// (1: the nuclear norm).
Value* singular_norm(Builder& b, Value* x, double order, const std::vector<size_t>& dims);
// Reads a parameter of shape [C] as [1, C, 1, ...] of this rank.
Value* per_channel(Builder& b, Value* parameter, size_t rank);

}  // namespace cresset::passes
