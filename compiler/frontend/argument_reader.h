// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "compiler/frontend/json.h"
#include "compiler/frontend/stored_tensor.h"
#include "compiler/ir/graph.h"

namespace cresset::frontend {

// What the names of one graph in the file stand for. Most are values of the IR.
class Scope {
 public:
  void bind(std::string_view name, ir::Argument argument) {
    names_.insert_or_assign(std::string(name), std::move(argument));
  }
  // A tensor subclass, which only the node that looks into it may use.
  void bind_subclass(std::string_view name, StoredSubclass subclass) {
    subclasses_.insert_or_assign(std::string(name), std::move(subclass));
  }
  // A name that the graph has but that may not be used, and why.
  void bind_unusable(std::string_view name, std::string reason) {
    unusable_.insert_or_assign(std::string(name), std::move(reason));
  }

  // Records an error at `json` where the name stands for nothing.
  ir::Argument find(std::string_view name, const Json& json) const;
  const StoredSubclass* find_subclass(std::string_view name) const;

 private:
  std::unordered_map<std::string, ir::Argument> names_;
  std::map<std::string, StoredSubclass, std::less<>> subclasses_;
  std::map<std::string, std::string, std::less<>> unusable_;
};

// Reads an Argument of any kind but a graph, with names looked up. Layouts and devices become None:
// programs are for one device, dense tensors only. Memory formats become PyTorch's numbers
// (0 contiguous, 1 preserve, 2 channels last, 3 channels last 3d). Records errors in the document.
ir::Argument read_argument(const Json& argument, const Scope& scope);

// `argument` in the form that the schema declares: a list where one is declared, floats where ints
// were written, the default where None stands for it. Records an error at `json` where the kinds do
// not fit.
ir::Argument conform_argument(ir::Argument argument, const ops::SchemaArg& declared,
                              const Json& json);

// The value of an argument that the call leaves out.
ir::Argument omitted_argument(const ops::SchemaArg& declared, const Json& json);

}  // namespace cresset::frontend
