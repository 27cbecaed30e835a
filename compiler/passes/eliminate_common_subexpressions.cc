// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>
#include <map>
#include <string>

#include "compiler/passes/passes.h"
#include "ops/op.h"

namespace cresset::passes {

namespace {

// Equal texts: equal arguments. Values and bodies by identity; doubles by their bits.
void append(std::string* text, const ir::Argument& argument) {
  if (argument.is_value()) {
    *text += "v" + std::to_string(reinterpret_cast<uintptr_t>(argument.value()));
  } else if (argument.is_graph()) {
    *text += "g" + std::to_string(reinterpret_cast<uintptr_t>(argument.graph().get()));
  } else if (argument.is_list()) {
    *text += "[";
    for (const ir::Argument& item : argument.list()) {
      append(text, item);
    }
    *text += "]";
  } else if (argument.is_double()) {
    const double number = argument.number();
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    *text += "d" + std::to_string(bits);
  } else if (argument.is_bool() || argument.is_int()) {
    *text += (argument.is_bool() ? "b" : "i") + std::to_string(argument.integer());
  } else if (argument.is_string()) {
    *text += "s" + std::to_string(argument.string().size()) + argument.string();
  } else if (argument.is_dtype()) {
    *text += "t" + std::to_string(static_cast<int>(argument.dtype()));
  }
  *text += ",";
}

std::string key_of(const ir::Node& node) {
  std::string key = std::to_string(static_cast<int>(node.op())) + ":";
  for (const ir::Argument& argument : node.args()) {
    append(&key, argument);
  }
  for (const ir::Value* result : node.results()) {
    key += std::to_string(static_cast<int>(result->type.kind));
    if (result->is_tensor()) {  // factories: the result's type is not among the arguments
      key += dtype_text(result->dtype()) + ir::sizes_text(result->sizes());
      for (const uint8_t dim : result->tensor().dim_order) {
        key += "." + std::to_string(dim);
      }
    }
  }
  return key;
}

// Composites carry no traits: those that a backend keeps may draw random numbers.
bool is_pure(const ir::Node& node) {
  if (node.in_place || node.info().composite || node.op() == ops::Op::kCount ||
      node.results().empty() || (node.info().traits & (ops::kWrites | ops::kRandom)) != 0) {
    return false;
  }
  for (size_t i = 0; i < node.schema().arg_count; ++i) {
    if (node.schema().args[i].writes || node.schema().args[i].type == ops::TypeTag::kGenerator) {
      return false;
    }
  }
  return true;
}

}  // namespace

ir::Error eliminate_common_subexpressions(ir::Graph& graph, const PassContext& context) {
  std::map<std::string, ir::Node*> known;
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    ir::Node* node = (it++)->get();
    if (ir::Error failure = for_each_body(*node, [&](ir::Graph& body) {
          return eliminate_common_subexpressions(body, context);
        })) {
      return failure;
    }
    if (!is_pure(*node)) {
      continue;
    }
    const auto [first, fresh] = known.emplace(key_of(*node), node);
    if (!fresh && first->second->results().size() == node->results().size()) {
      for (size_t i = 0; i < node->results().size(); ++i) {
        graph.replace_uses(node->result(i), first->second->result(i));
      }
      graph.erase(node);
    }
  }
  return {};
}

}  // namespace cresset::passes
