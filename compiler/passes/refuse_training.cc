// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

// The argument of that name; null where the schema has none.
const ir::Argument* find_arg(const ir::Node& node, std::string_view name) {
  for (size_t i = 0; i < node.schema().arg_count; ++i) {
    if (node.schema().args[i].name == name) {
      return &node.arg(i);
    }
  }
  return nullptr;
}

// Whether the node would learn: statistics that the model holds are those of the data seen so far.
// Statistics that the caller hands over are the caller's business.
bool updates_statistics(const ir::Node& node) {
  const ir::Argument* const training = find_arg(node, "training");
  const ir::Argument* const mean = find_arg(node, "running_mean");
  return training != nullptr && *training == ir::Argument(true) && mean != nullptr &&
         mean->is_value() && mean->value()->origin() != ir::Value::Origin::kInput &&
         mean->value()->origin() != ir::Value::Origin::kNode;
}

}  // namespace

ir::Error refuse_training(ir::Graph& graph, const PassContext& context) {
  for (const auto& node : graph.nodes()) {
    if (updates_statistics(*node)) {
      const std::string& module = node->source.module;
      const std::string& line = node->source.line;
      return ir::not_supported(
          std::string(node->info().name) + (module.empty() ? "" : " in \"" + module + "\"") +
          (line.empty() ? "" : " (" + line + ")") +
          " is in train mode: its result would depend on the other items of the batch; call "
          "model.eval() before torch.export.export");
    }
    if (ir::Error failure =
            for_each_body(*node, [&](ir::Graph& body) { return refuse_training(body, context); })) {
      return failure;
    }
  }
  return {};
}

}  // namespace cresset::passes
