// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"

namespace cresset::ir {

struct ParseOptions {
  // Operators that the application brings, by id; may be empty. The tables' are always known.
  std::function<const ops::OpInfo*(std::string_view id)> find_op;
};

// Reads what print (compiler/ir/print.h) writes, one graph or a whole program. Besides, for graphs
// written by hand:
// - a node of a row may leave out its types: they follow from the row's rule;
// - arguments may be named and come in any order: `sum_dim_intlist(%x, [1], keepdim=true)`;
// - a constant or buffer may have `fill(0.5)`, or no data at all: its elements then follow from its
//   name. Those of `digest(...)` follow from the digest: the data itself is not in the text;
// - comments run from // to the end of the line.
// Values are used behind their definition. Errors say the line and what was expected.
Expected<std::shared_ptr<Graph>> parse_graph(std::string_view text,
                                             const ParseOptions& options = {});
Expected<Program> parse_program(std::string_view text, const ParseOptions& options = {});

// Reads Dim::text(): "2*s0 + 1", "floordiv(s0, 2)".
Expected<Dim> parse_dim(std::string_view text);

}  // namespace cresset::ir
