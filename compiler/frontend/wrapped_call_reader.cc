// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/graph_reader.h"
#include "compiler/ir/infer.h"
#include "ops/op.h"

// Calls that stand inside of another: with_effects and auto_functionalized.

namespace cresset::frontend {

using ir::Argument;
using ir::Type;
using ir::Value;

namespace {

// Whether the call writes into its argument `i`.
bool writes(const Target& target, size_t i) {
  return target.info->schema.args[i].writes || (target.in_place && i == 0);
}

}  // namespace

Target GraphReader::operator_named_by(const Json& argument) {
  const Json name = argument.payload();
  const Target target =
      argument.tag() == "as_operator" ? context_->ops->find(name.as_text()) : Target();
  if (target.form != TargetForm::kOperator && target.form != TargetForm::kIgnored) {
    argument.fail("a call of something that is no plain operator", Status::kNotSupported);
  }
  return target;
}

// (token, operator, arguments...) gives (token, results...). The order of the nodes is order
// enough.
void GraphReader::read_with_effects(const Json& node) {
  const Json inputs_json = node.field("inputs");
  const Json outputs_json = node.field("outputs");
  std::vector<Json> inputs = items_of(inputs_json);
  std::vector<Json> outputs = items_of(outputs_json);
  if (!node.ok() || inputs.size() < 2 || outputs.empty()) {
    node.fail("takes a token and an operator, and gives a token");
    return;
  }
  const Target target = operator_named_by(inputs[1].field("arg"));
  scope_.bind(outputs[0].payload().field("name").as_text(), Argument());
  if (!node.ok() || target.form == TargetForm::kIgnored) {
    return;
  }
  inputs.erase(inputs.begin(), inputs.begin() + 2);
  outputs.erase(outputs.begin());
  if (target.info->schema.return_count == 0) {
    outputs.clear();  // None stands for it
  }
  read_call(node, target, inputs, outputs);
}

Value* GraphReader::add_clone(const Json& node, Value* value) {
  const Target clone = context_->ops->find("torch.ops.aten.clone.default");
  ir::Node* made = add_call(node, clone, {value, Argument()}, {{"", value->type}});
  return made == nullptr ? value : made->result();
}

// (operator, keyword arguments...) gives the operator's results (None where it has none), then what
// the written arguments hold after it (or, in version 2, the tensors that these are views of). The
// arguments themselves stay as they were.
void GraphReader::read_auto_functionalized(const Json& node) {
  const Json inputs_json = node.field("inputs");
  const Json outputs_json = node.field("outputs");
  const std::vector<Json> inputs = items_of(inputs_json);
  std::vector<Json> outputs = items_of(outputs_json);
  if (!node.ok() || inputs.empty()) {
    node.fail("has no operator");
    return;
  }
  const Target target = operator_named_by(inputs[0].field("arg"));
  if (!node.ok() || target.form == TargetForm::kIgnored) {
    return;
  }
  const ops::Schema& schema = target.info->schema;
  std::map<std::string, Json> members;
  std::vector<Json> plain;
  for (size_t i = 1; i < inputs.size(); ++i) {
    const std::string name(inputs[i].field("name").as_text());
    members.emplace(name, inputs[i].field("arg"));
    const int place = schema.find(name);
    if (place >= 0) {
      plain.push_back(inputs[i]);
    } else if (name.empty() || name[0] != '_') {
      inputs[i].fail("the operator has no such argument", Status::kNotSupported);
    }
  }
  const size_t returned = std::max<size_t>(schema.return_count, 1);
  if (node.ok() && outputs.size() < returned) {
    node.field("outputs").fail("has too few results");
  }
  if (!node.ok()) {
    return;
  }
  const std::vector<Json> contents(outputs.begin() + static_cast<ptrdiff_t>(returned),
                                   outputs.end());
  outputs.resize(schema.return_count, outputs[0]);

  std::vector<Value*> copies;
  std::vector<Argument> args;
  const auto bases = members.find("_all_bases");
  if (bases != members.end()) {
    const Argument list = read_argument(bases->second, scope_);
    for (const Argument& base : list.is_list() ? list.list() : ir::ArgumentList()) {
      if (!base.is_value()) {
        bases->second.fail("a tensor to write into is none");
        return;
      }
      copies.push_back(add_clone(node, base.value()));
    }
    std::vector<bool> below;
    for (size_t i = 0; i < schema.arg_count; ++i) {
      below.push_back(writes(target, i));
    }
    args = arguments_of(node, target, plain, outputs, std::move(below));
    for (size_t i = 0; i < args.size() && node.ok(); ++i) {
      if (!writes(target, i)) {
        continue;
      }
      const std::string name = "_" + std::string(schema.args[i].name);
      if (!schema.args[i].list) {
        args[i] = view_of_base(node, members, name, copies);
        continue;
      }
      const auto length = members.find(name + "_length");
      const Argument count =
          length == members.end() ? Argument() : read_argument(length->second, scope_);
      ir::ArgumentList items;
      for (int64_t k = 0; count.is_int() && k < count.integer() && node.ok(); ++k) {
        items.push_back(view_of_base(node, members, name + "_" + std::to_string(k), copies));
      }
      args[i] = count.is_int() ? Argument(std::move(items)) : Argument();
    }
  } else {
    args = arguments_of(node, target, plain, outputs);
    for (size_t i = 0; i < args.size() && node.ok(); ++i) {
      if (writes(target, i) && args[i].is_value()) {
        copies.push_back(add_clone(node, args[i].value()));
        args[i] = copies.back();
      }
    }
  }
  std::vector<ResultName> results = results_of(outputs);
  if (!node.ok() || add_call(node, target, std::move(args), std::move(results)) == nullptr) {
    return;
  }
  size_t k = 0;
  for (const Json& output : contents) {
    if (output.tag() == "as_none") {
      continue;
    }
    const Json name = output.payload().field("name");
    if (k == copies.size()) {
      output.fail("more results than tensors that are written");
      return;
    }
    scope_.bind(name.as_text(), copies[k++]);
  }
}

Argument GraphReader::view_of_base(const Json& node, const std::map<std::string, Json>& members,
                                   const std::string& name, const std::vector<Value*>& bases) {
  const auto member = [&](const std::string& suffix) {
    const auto found = members.find(name + suffix);
    return found == members.end() ? Argument() : read_argument(found->second, scope_);
  };
  const Argument index = member("_base_index");
  if (index.is_none() && members.count(name + "_base_index") != 0) {
    return {};
  }
  if (!index.is_int() || index.integer() < 0 ||
      static_cast<size_t>(index.integer()) >= bases.size()) {
    node.fail("does not say which tensor '" + name.substr(1) + "' is");
    return {};
  }
  Value* base = bases[static_cast<size_t>(index.integer())];
  const bool slice = members.count(name + "_slice_dim") != 0;
  if (!slice && members.count(name + "_storage_offset") == 0) {
    return base;
  }
  if (!slice) {
    size_t at = 0;
    members.at("_all_bases").payload().each([&](const Json& tensor) {
      if (at++ == static_cast<size_t>(index.integer())) {
        is_row_major(tensor);
      }
    });
  }
  std::vector<Argument> args =
      slice ? std::vector<Argument>{base, member("_slice_dim"), member("_slice_start"),
                                    member("_slice_end"), 1}
            : std::vector<Argument>{base, member("_size"), member("_stride"),
                                    member("_storage_offset")};
  const ir::Expected<std::vector<Type>> types =
      ir::infer(ops::op_info(slice ? ops::Op::slice_copy_tensor : ops::Op::as_strided_copy), args);
  if (!types.ok()) {
    node.fail("'" + name.substr(1) + "': " + types.error().text, types.error().status);
    return {};
  }
  const Target view = context_->ops->find(slice ? "torch.ops.aten.slice.Tensor"
                                                : "torch.ops.aten.as_strided.default");
  ir::Node* made = add_call(node, view, std::move(args), {{"", types->front()}});
  return made == nullptr ? Argument() : Argument(made->result());
}

}  // namespace cresset::frontend
