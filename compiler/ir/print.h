// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>

#include "compiler/ir/graph.h"

namespace cresset::ir {

// How much a text says. With all on and `inline_elements` large enough, parse gives the same graph
// back.
struct PrintOptions {
  bool handles = true;          // "@12" behind a node: its debug handle
  bool sources = true;          // "// "model.py:12" in "features.0"" behind a node
  bool specs = false;           // PyTorch's descriptions of how inputs and outputs nest
  size_t inline_elements = 16;  // constants of at most so many elements show them
};

// A graph as text:
//
//   graph forward(%x: f32[s0, 3], %n: int(s0)) {
//     s0 in [1, 4]
//     %w = constant "fc.weight" fill(0.5) : f32[2, 3]
//     %cache = buffer "cache" [0.0, 0.0] : f32[2]
//     %mm = mm(%x, %t) : f32[s0, 2] @2  // "model.py:12" in "fc"
//     %values, %indices = max_dim(%mm, 1) : (f32[s0], i64[s0]) @3
//     %y = relu!(%values) : f32[s0] @4
//     update %cache = %y
//     return %y, %indices
//   }
//
// Arguments stand in schema order; those that have their default are left out; keyword arguments,
// and what follows one that was left out, are named. "!" marks an operator in place. A dim order
// that is not row-major follows the type: "f32[1, 3, 8, 8] order [0, 2, 3, 1]". Bodies stand nested
// as arguments.
std::string print(const Graph& graph, const PrintOptions& options = {});
std::string print(const Program& program, const PrintOptions& options = {});

// One node, without its line's end.
std::string print(const Node& node, const PrintOptions& options = {});
// "f32[s0, 3] order [1, 0]", "int(s0)", "float".
std::string print(const Type& type);

}  // namespace cresset::ir
