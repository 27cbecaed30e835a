// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "compiler/eval/eval.h"
#include "compiler/quantizer/options.h"

namespace cresset::quantizer {

// A lowered copy of a graph, in which values of the original can be watched while it runs. No
// activation is held longer than the run itself needs it.
class Probe {
 public:
  // Called with the place in `watched` and the tensor, row-major, as it is computed.
  using Watcher = std::function<void(size_t place, const ir::ConstantPtr& tensor)>;

  static ir::Expected<std::unique_ptr<Probe>> make(const ir::Graph& graph,
                                                   const std::vector<ir::Value*>& watched,
                                                   const Context& context);

  // The outputs of one call. Buffers keep their contents from call to call.
  ir::Expected<std::vector<eval::Datum>> run(const std::vector<eval::Datum>& inputs,
                                             const Watcher& watcher);

 private:
  std::shared_ptr<ir::Graph> graph_;
  std::unordered_map<const ir::Value*, std::vector<size_t>> places_;
  std::vector<std::pair<size_t, ir::ConstantPtr>> constants_;  // watched values that folded away
  std::unique_ptr<eval::Evaluator> evaluator_;
};

}  // namespace cresset::quantizer
