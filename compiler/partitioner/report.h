// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/graph.h"

// What became of every node: the facts behind `compile --report`.
namespace cresset::partitioner {

inline constexpr size_t kNotDelegated = SIZE_MAX;

struct NodeReport {
  std::string name;  // of its first result
  std::string op;    // "aten::conv2d"
  std::string type;  // of its results, "f32[1, 8]"
  uint32_t debug_handle = 0;
  ir::Source source;
  std::string body;                 // the body that it stands in, "cond.true_graph"; empty: none
  size_t delegate = kNotDelegated;  // index into MethodReport::delegates
  // Why each backend left it, in order of priority, joined by "; ". Empty where it is delegated, or
  // no backend was asked.
  std::string reason;
  // Not a computation of its own: a view that costs nothing, a number, control flow.
  bool is_free = false;
  std::vector<size_t> inputs;  // the nodes that it reads, in MethodReport::nodes
};

struct DelegateReport {
  std::string backend;  // "example"
  std::string id;       // "ExampleBackend"
  std::string body;
  size_t node_count = 0;
  uint64_t blob_bytes = 0;
  uint64_t data_bytes = 0;          // by name; other delegates may share it
  std::vector<std::string> inputs;  // "x f32[1, 8]"
  std::vector<std::string> outputs;
  std::vector<std::string> notes;
};

struct MethodReport {
  std::string method;
  std::vector<NodeReport> nodes;  // as the graph had them when it was partitioned, bodies first
  std::vector<DelegateReport> delegates;

  // Nodes that compute and that no backend took.
  std::vector<const NodeReport*> left() const;
};

}  // namespace cresset::partitioner
