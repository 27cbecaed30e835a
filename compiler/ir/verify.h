// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"

namespace cresset::ir {

// What a graph may no longer hold at this stage.
struct VerifyOptions {
  bool functional = false;  // after functionalize: no node writes into a tensor
  bool rows_only = false;   // after decompose: no composites but the control-flow operators
};

// One broken rule: its name (verify.cc lists them) and what breaks it where.
struct Violation {
  std::string rule;
  std::string text;
};

// Every violation of the first rule that is broken, in bodies too; empty where the graph keeps all.
std::vector<Violation> check_rules(const Graph& graph, const VerifyOptions& options = {});

// The same as an error (kInternal: a pass or the importer is wrong), a few violations quoted.
Error verify(const Graph& graph, const VerifyOptions& options = {});

// The names of the rules, in the order in which they are checked.
std::vector<std::string> rule_names();

}  // namespace cresset::ir
