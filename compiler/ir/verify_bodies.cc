// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/verify_bodies.h"

#include <fmt/core.h>

#include "compiler/ir/print.h"
#include "ops/op.h"

namespace cresset::ir {

namespace {

using Types = std::vector<Type>;

// Plain numbers have no type of their own: these stand for anything.
Type type_of(const Argument& argument) {
  return argument.is_value() ? argument.value()->type : Type{Type::Kind::kFloat, {}, {}};
}

void append(const Argument& list, Types* types) {
  if (list.is_list()) {
    for (const Argument& item : list.list()) {
      types->push_back(type_of(item));
    }
  }
}

// One slice along dimension 0.
void append_items(const Argument& list, Types* types) {
  const size_t first = types->size();
  append(list, types);
  for (size_t i = first; i < types->size(); ++i) {
    TensorType& tensor = (*types)[i].tensor;
    if (!tensor.sizes.empty()) {
      tensor.sizes.erase(tensor.sizes.begin());
      tensor.dim_order.clear();
    }
  }
}

Types types_of(const std::vector<Value*>& values) {
  Types types;
  for (const Value* value : values) {
    types.push_back(value->type);
  }
  return types;
}

Types outputs_of(const Graph& body) {
  Types types;
  for (const Argument& output : body.outputs) {
    types.push_back(type_of(output));
  }
  return types;
}

// Numbers and tensors of one element stand for each other: sub-graphs carry numbers as either.
void compare(const std::string& what, const Types& got, const Types& expected,
             std::vector<std::string>* faults) {
  if (got.size() != expected.size()) {
    faults->push_back(fmt::format("{}: {} values, expected {}", what, got.size(), expected.size()));
    return;
  }
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i].is_tensor() && expected[i].is_tensor() &&
        !may_be_same_shape(got[i].tensor, expected[i].tensor)) {
      faults->push_back(fmt::format("{}: value {} is {}, expected {}", what, i, print(got[i]),
                                    print(expected[i])));
    }
  }
}

void compare_inputs(const Graph& body, const Types& operands, std::vector<std::string>* faults) {
  Types types;
  for (const UserInput& input : body.inputs) {
    types.push_back(input.value == nullptr ? type_of(input.specialised) : input.value->type);
  }
  compare(fmt::format("inputs of body '{}'", body.name), types, operands, faults);
}

void compare_outputs(const Graph& body, const Types& expected, std::vector<std::string>* faults) {
  compare(fmt::format("outputs of body '{}'", body.name), outputs_of(body), expected, faults);
}

// The type of a result without its dimension 0, which stacks the steps.
Types rows(const Types& types) {
  Types items = types;
  for (Type& type : items) {
    if (!type.tensor.sizes.empty()) {
      type.tensor.sizes.erase(type.tensor.sizes.begin());
      type.tensor.dim_order.clear();
    }
  }
  return items;
}

}  // namespace

bool may_be_same_shape(const TensorType& a, const TensorType& b) {
  if (a.dtype != b.dtype || a.sizes.size() != b.sizes.size()) {
    return false;
  }
  for (size_t d = 0; d < a.sizes.size(); ++d) {
    if (a.sizes[d].is_known() && b.sizes[d].is_known() && !(a.sizes[d] == b.sizes[d])) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> body_faults(const Node& node) {
  std::vector<std::string> faults;
  const Types results = types_of(node.results());
  Types operands;
  switch (node.op()) {
    case ops::Op::hop_cond:
      append(node.arg("operands"), &operands);
      for (const char* branch : {"true_graph", "false_graph"}) {
        const Graph& body = *node.arg(branch).graph();
        compare_inputs(body, operands, &faults);
        compare_outputs(body, results, &faults);
      }
      break;
    case ops::Op::hop_while_loop: {
      append(node.arg("carried"), &operands);
      const Types carried = operands;
      append(node.arg("additional"), &operands);
      const Graph& condition = *node.arg("condition").graph();
      const Graph& body = *node.arg("body").graph();
      compare_inputs(condition, operands, &faults);
      compare_inputs(body, operands, &faults);
      if (condition.outputs.size() != 1) {
        faults.push_back(
            fmt::format("the condition has {} outputs, expected one", condition.outputs.size()));
      }
      compare_outputs(body, carried, &faults);
      compare("results", results, carried, &faults);
      break;
    }
    case ops::Op::hop_map_impl: {
      append_items(node.arg("mapped"), &operands);
      append(node.arg("additional"), &operands);
      const Graph& body = *node.arg("body").graph();
      compare_inputs(body, operands, &faults);
      compare_outputs(body, rows(results), &faults);
      break;
    }
    case ops::Op::hop_scan: {
      append(node.arg("init"), &operands);
      const size_t carries = operands.size();
      append_items(node.arg("xs"), &operands);
      append(node.arg("additional"), &operands);
      const Graph& body = *node.arg("combine").graph();
      compare_inputs(body, operands, &faults);
      if (results.size() < carries) {
        faults.push_back(fmt::format("{} results for {} carried values", results.size(), carries));
        break;
      }
      const auto split = static_cast<ptrdiff_t>(carries);
      Types expected(results.begin(), results.begin() + split);
      const Types stacked = rows({results.begin() + split, results.end()});
      expected.insert(expected.end(), stacked.begin(), stacked.end());
      compare_outputs(body, expected, &faults);
      break;
    }
    default:
      break;
  }
  return faults;
}

}  // namespace cresset::ir
