// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "compiler/partitioner/supported.h"

namespace cresset::partitioner {

// What a backend makes of one subgraph.
struct CompiledDelegate {
  // What the runtime half gets in init, at a multiple of 16. Begin it with a magic and a version.
  std::vector<uint8_t> blob;
  // Bytes that the blob refers to by Constant::name and the runtime half finds in
  // DelegateInit::data: weights, mostly. Stored once a program however many delegates name them, in
  // the data file where the user asks for one. Equal names must mean equal bytes (named_constant).
  std::vector<ir::ConstantPtr> data;
  // Options that a program file shows, key and value; for what a reader of the file may want to
  // know.
  std::vector<std::pair<std::string, std::string>> specs;
  // For the report: what a user may want to know about this subgraph.
  std::vector<std::string> notes;
};

// The half of a backend that runs in the compiler. One object serves any number of compilations at
// a time; it keeps no state of them.
class BackendCompiler {
 public:
  virtual ~BackendCompiler() = default;

  // What --backend takes and messages say: the name of the backend's folder.
  virtual std::string name() const = 0;
  // What program files say, and the runtime half answers to: "ExampleBackend".
  virtual std::string id() const = 0;

  // The operators that the backend takes, and the conditions: its supported.def.
  virtual Span<const SupportedOp> supported() const = 0;
  // Whether sizes may vary below upper bounds from call to call. If not, only nodes whose tensors
  // all have fixed sizes are handed over.
  virtual bool takes_dynamic_sizes() const { return false; }
  // For conditions that supported.def cannot express: why the backend does not take this node,
  // which fulfils supported.def; "" where it does. Reads like the rest of "left: ".
  virtual std::string refusal(const ir::Node& node) const {
    (void)node;
    return "";
  }

  // Compiles a subgraph. Guaranteed by the framework:
  // - every node fulfils supported() and refusal(); no argument that supported.def does not list
  //   differs from its schema's default;
  // - the nodes stand in order of execution and write into nothing; there is no control flow;
  // - inputs are tensors; they and the outputs are row-major unless supported.def says "any order";
  // - constants are row-major; each appears once; none is handed over as an input;
  // - contents of buffers that any method writes come as inputs;
  // - symbols of dynamic sizes have finite ranges in graph.ranges;
  // - every output is the result of a node.
  // At run time the delegate gets the graph's inputs, then its outputs, in order.
  //
  // kNotSupported: the subgraph is left to others, and the report says why. Any other error ends
  // the compilation.
  virtual ir::Expected<CompiledDelegate> compile(const ir::Graph& graph) const = 0;
};

// In order of priority. Outlive the compilation.
using BackendCompilers = std::vector<const BackendCompiler*>;

// The constant under a name that follows from its bytes ("example.3f2a..."), for
// CompiledDelegate::data: partitions and methods that use the same weights share them.
ir::ConstantPtr named_constant(const std::string& prefix, const ir::Constant& constant);

}  // namespace cresset::partitioner
