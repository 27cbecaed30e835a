// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/probe.h"

#include <numeric>

#include "compiler/ir/clone.h"

namespace cresset::quantizer {

namespace {

ir::ConstantPtr row_major(const ir::ConstantPtr& tensor) {
  std::vector<uint8_t> order(tensor->type.sizes.size());
  std::iota(order.begin(), order.end(), uint8_t{0});
  return tensor->type.order() == order ? tensor : eval::reordered(tensor, order);
}

}  // namespace

ir::Expected<std::unique_ptr<Probe>> Probe::make(const ir::Graph& graph,
                                                 const std::vector<ir::Value*>& watched,
                                                 const Context& context) {
  ir::ClonedGraph cloned = ir::clone(graph);
  auto probe = std::make_unique<Probe>();
  probe->graph_ = std::move(cloned.graph);
  ir::Graph& copy = *probe->graph_;
  // As outputs, they survive the passes, which say what became of them.
  const size_t outputs = copy.outputs.size();
  for (ir::Value* value : watched) {
    copy.outputs.push_back(cloned.values.at(value));
  }
  copy.output_names.clear();
  if (ir::Error failure = context.lower(copy)) {
    return failure;
  }
  for (size_t i = 0; i < watched.size(); ++i) {
    const ir::Argument& output = copy.outputs[outputs + i];
    if (output.is_value() && output.value()->origin() == ir::Value::Origin::kConstant) {
      probe->constants_.emplace_back(i, row_major(output.value()->constant()));
    } else if (output.is_value()) {
      probe->places_[output.value()].push_back(i);
    }
  }
  copy.outputs.resize(outputs);
  probe->evaluator_ = std::make_unique<eval::Evaluator>(copy, context.kernels, context.parallel);
  return probe;
}

ir::Expected<std::vector<eval::Datum>> Probe::run(const std::vector<eval::Datum>& inputs,
                                                  const Watcher& watcher) {
  evaluator_->set_observer([&](const ir::Value& value, const eval::Datum& datum) {
    const auto found = places_.find(&value);
    if (found == places_.end() || eval::tensor_of(datum) == nullptr) {
      return;
    }
    const ir::ConstantPtr tensor = row_major(eval::tensor_of(datum));
    for (const size_t place : found->second) {
      watcher(place, tensor);
    }
  });
  for (const auto& [place, constant] : constants_) {
    watcher(place, constant);
  }
  return evaluator_->run(inputs);
}

}  // namespace cresset::quantizer
