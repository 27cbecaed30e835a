// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/ir/graph.h"
#include "compiler/quantizer/options.h"
#include "compiler/quantizer/rules.h"

namespace cresset::quantizer {

// A node that becomes one integer operator, with the clamp behind it where that is only a bound of
// its result.
struct Unit {
  ir::Node* node = nullptr;
  ir::Node* clamp = nullptr;
  const Rule* rule = nullptr;

  // Float tensors that it takes as integers: activations, constants included.
  std::vector<ir::Value*> inputs() const;
  ir::Value* weight() const { return node->arg(1).value(); }  // of a product
  const std::vector<ir::Value*>& outputs() const {
    return clamp != nullptr ? clamp->results() : node->results();
  }
};

// Which nodes of a graph are quantized, and which values have parameters of their own.
struct Plan {
  std::vector<Unit> units;                      // in the graph's order
  std::map<const ir::Node*, size_t> unit_of;    // clamps included
  std::map<const ir::Node*, std::string> left;  // why the other float nodes stay as they are
  std::set<const ir::Node*> wanted_left;        // those of them that the user wants there, and the
                                                // ones that only move what is float anyway

  // The value whose parameters `value` has: its own, or those of what a passing unit took it from.
  ir::Value* owner(ir::Value* value) const;
  // The values with parameters of their own, in the graph's order.
  std::vector<ir::Value*> owners() const;

  std::unordered_map<const ir::Value*, ir::Value*> passed_from;
};

// Nodes by the names of their first results, each with the reason why it stays in float.
using LeftNodes = std::map<std::string, std::string>;
// Adds the unit's nodes.
void leave_unit(const Unit& unit, const std::string& reason, LeftNodes* left);

// `keep`: further nodes that the user wants in float. `unfit`: those that cannot be quantized well.
Plan make_plan(ir::Graph& graph, const Options& options, const LeftNodes& keep = {},
               const LeftNodes& unfit = {});

// Whether a pattern of --keep-float names a node: its module, operator or result.
bool is_named(const ir::Node& node, const std::string& pattern);
// Whether `text` matches a pattern with * and ?.
bool matches(const std::string& pattern, const std::string& text);

}  // namespace cresset::quantizer
