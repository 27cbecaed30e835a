// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/graph_reader.h"

#include <algorithm>
#include <utility>

#include "compiler/frontend/node_origin.h"
#include "ops/op.h"

namespace cresset::frontend {

using ir::Argument;
using ir::Type;

namespace {

// Of a result that the file leaves undefined, and that nothing can use.
Type undefined_type() { return Type::of({DType::kFloat32, {ir::Dim(0)}, {}}); }

ir::Source source_of(const Json& node) {
  const Json metadata = node.optional("metadata");
  if (metadata.is_null()) {
    return {};
  }
  const Json trace = metadata.optional("stack_trace");
  const Json modules = metadata.optional("nn_module_stack");
  return {trace.is_text() ? source_line(trace.as_text()) : std::string(),
          modules.is_text() ? module_path(modules.as_text()) : std::string()};
}

// All values and constants among the arguments, lists opened.
void flatten(const Argument& argument, std::vector<Argument>* flat) {
  if (argument.is_list()) {
    for (const Argument& item : argument.list()) {
      flatten(item, flat);
    }
  } else {
    flat->push_back(argument);
  }
}

// Whether a complex number may stand there.
bool takes_complex(const ops::SchemaArg& declared) {
  return !declared.list &&
         (declared.type == ops::TypeTag::kTensor || declared.type == ops::TypeTag::kScalar);
}

// PyTorch's numbers for channels last and channels last 3d.
bool asks_for_channels_last(const ops::Schema& schema, const std::vector<Argument>& args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (schema.args[i].type == ops::TypeTag::kMemoryFormat && args[i].is_int() &&
        args[i].integer() >= 2) {
      return true;
    }
  }
  return false;
}

}  // namespace

void GraphReader::read_types() {
  const Json tensors = json_.field("tensor_values");
  tensors.each_member([&](std::string_view name, const Json& meta) {
    bool row_major = true;
    types_.emplace(name, Type::of(context_->types.read_tensor_type(meta, &row_major)));
    if (!row_major) {
      scattered_.insert(name);
    }
  });
  const Json ints = json_.field("sym_int_values");
  ints.each_member([&](std::string_view name, const Json& sym_int) {
    types_.emplace(name, Type::of_int(context_->types.read_dim(sym_int)));
  });
  for (const auto& [member, kind] : {std::pair("sym_bool_values", Type::Kind::kBool),
                                     std::pair("sym_float_values", Type::Kind::kFloat)}) {
    const Json numbers = json_.optional(member);
    if (!numbers.is_null()) {
      numbers.each_member([&](std::string_view name, const Json&) {
        Type type;
        type.kind = kind;
        types_.emplace(name, std::move(type));
      });
    }
  }
}

Type GraphReader::type_of(std::string_view name, const Json& json) const {
  const auto found = types_.find(name);
  if (found == types_.end()) {
    json.fail("'" + std::string(name.substr(0, 120)) + "' has no type");
    return {};
  }
  return found->second;
}

void GraphReader::add_body_inputs() {
  const Json inputs = json_.field("inputs");
  inputs.each([&](const Json& input) {
    const std::string_view tag = input.tag();
    const Json payload = input.payload();
    const bool tensor = tag == "as_tensor";
    if (tensor || (tag.substr(0, 7) == "as_sym_" && payload.tag() == "as_name")) {
      const std::string_view name =
          tensor ? payload.field("name").as_text() : payload.payload().as_text();
      Type type = type_of(name, payload);
      if (input.ok()) {
        scope_.bind(name, graph_->add_input(std::string(name), std::move(type)));
      }
      return;
    }
    graph_->inputs.push_back({"", nullptr, read_argument(input, scope_), nullptr});
  });
}

void GraphReader::read_nodes() {
  const Json nodes = json_.field("nodes");
  nodes.each([&](const Json& node) {
    read_node(node);
    if (!node.ok()) {
      const ir::Source source = source_of(node);
      node.document().annotate(source.line.empty() ? "" : " (from " + source.line + ")");
    }
  });
}

std::vector<Argument> GraphReader::read_outputs() {
  std::vector<Argument> outputs;
  const Json list = json_.field("outputs");
  list.each([&](const Json& output) { flatten(read_argument(output, scope_), &outputs); });
  return outputs;
}

void GraphReader::read_node(const Json& node) {
  const Json target_json = node.field("target");
  const Target target = context_->ops->find(target_json.as_text());
  switch (target.form) {
    case TargetForm::kMissing:
      target_json.fail("unknown operator", Status::kOperatorMissing);
      return;
    case TargetForm::kInlined:
    case TargetForm::kAutocast:
      inline_body(node, target.form);
      return;
    case TargetForm::kSymbolicSum:
      read_symbolic_sum(node, target);
      return;
    case TargetForm::kSubclassAccess:
      read_subclass_access(node);
      return;
    case TargetForm::kWithEffects:
      read_with_effects(node);
      return;
    case TargetForm::kAutoFunctionalized:
      read_auto_functionalized(node);
      return;
    case TargetForm::kIgnored:
      return;
    case TargetForm::kOperator:
    case TargetForm::kSymbolic:
    case TargetForm::kControlFlow:
      break;
  }
  const Json inputs = node.field("inputs");
  const Json outputs = node.field("outputs");
  read_call(node, target, items_of(inputs), items_of(outputs));
}

void GraphReader::read_call(const Json& node, const Target& target, const std::vector<Json>& inputs,
                            const std::vector<Json>& outputs) {
  if (target.info->op == ops::Op::as_strided && !inputs.empty()) {
    const Json self = inputs[0].field("arg");
    is_row_major(self.payload());
  }
  std::vector<Argument> args = arguments_of(node, target, inputs, outputs);
  std::vector<ResultName> results = results_of(outputs);
  Target placed = target;
  if (node.ok() && place_complex(node, &placed, &args)) {
    add_call(node, placed, std::move(args), std::move(results));
  }
}

ir::Node* GraphReader::add_call(const Json& node, const Target& target, std::vector<Argument> args,
                                std::vector<ResultName> results) {
  const uint32_t debug_handle = context_->next_debug_handle++;
  choose_dim_orders(target.info->schema, args, &results);
  const int self = target.in_place ? std::max(target.info->schema.find("self"), 0) : 0;
  if (self == 0) {
    ir::Node* made = add_node(node, target, std::move(args), results);
    if (made != nullptr) {
      made->debug_handle = debug_handle;
      made->in_place = target.in_place;
    }
    return made;
  }
  // Not the first argument is written (polygamma_): compute, then copy.
  const Argument written = args[static_cast<size_t>(self)];
  ir::Node* computed = add_node(node, {TargetForm::kOperator, target.info}, std::move(args), {});
  const Target copy = context_->ops->find("torch.ops.aten.copy_.default");
  if (computed == nullptr || copy.info == nullptr) {
    node.fail("an in-place operator of this form is not supported", Status::kNotSupported);
    return nullptr;
  }
  computed->debug_handle = debug_handle;
  computed->result()->type = written.is_value() ? written.value()->type : undefined_type();
  ir::Node* copied = add_node(node, copy, {written, computed->result()}, results);
  if (copied != nullptr) {
    copied->debug_handle = debug_handle;
    copied->in_place = true;
  }
  return copied;
}

bool GraphReader::is_row_major(const Json& tensor) const {
  const Json name = tensor.field("name");
  if (scattered_.count(name.as_text()) == 0) {
    return true;
  }
  tensor.fail("as_strided of a tensor that is not row-major is not supported; call contiguous()",
              Status::kNotSupported);
  return false;
}

int GraphReader::place_of(const Json& input, size_t position, size_t count, const Target& target) {
  const ops::Schema& schema = target.info->schema;
  const std::string_view name = input.field("name").as_text();
  if (target.form == TargetForm::kOperator && !name.empty()) {
    const int place = schema.find(name);
    // The functional form may call it otherwise (dropout: input).
    return place < 0 && target.in_place && name == "self" ? 0 : place;
  }
  if (target.form == TargetForm::kControlFlow && !name.empty()) {
    return schema.find(name);
  }
  // Early releases wrote scan with a dimension and a direction before the additional inputs.
  if (target.info->name == "higher_order::scan" && count == 6 && position >= 3) {
    const Json arg = input.field("arg");
    if (position < 5 && (position == 3 ? arg.tag() != "as_int" || arg.payload().as_int() != 0
                                       : arg.tag() != "as_bool" || arg.payload().as_bool())) {
      arg.fail("scan over another dimension than 0, or in reverse, is not supported",
               Status::kNotSupported);
    }
    return 3;
  }
  return position < schema.arg_count ? static_cast<int>(position) : -1;
}

std::vector<Argument> GraphReader::arguments_of(const Json& node, const Target& target,
                                                const std::vector<Json>& inputs,
                                                const std::vector<Json>& outputs,
                                                std::vector<bool> given) {
  const ops::Schema& schema = target.info->schema;
  std::vector<Argument> args(schema.arg_count);
  given.resize(schema.arg_count);
  size_t position = 0;
  for (const Json& input : inputs) {
    const int place = place_of(input, position++, inputs.size(), target);
    if (place < 0) {
      input.fail("the operator has no such argument in the schema that is known here",
                 Status::kNotSupported);
      break;
    }
    const Json arg = input.field("arg");
    const size_t at = static_cast<size_t>(place);
    const ops::SchemaArg& declared = schema.args[at];
    if (declared.type == ops::TypeTag::kGraph && arg.tag() == "as_graph") {
      args[at] = read_body(arg.payload());
    } else if (arg.tag() == "as_complex" && takes_complex(declared)) {
      args[at] = complex_argument(arg.payload(), outputs);
    } else {
      args[at] = conform_argument(read_argument(arg, scope_), declared, arg);
    }
    given[at] = true;
  }
  for (size_t i = 0; i < args.size() && node.ok(); ++i) {
    if (!given[i]) {
      args[i] = omitted_argument(schema.args[i], node);
    }
  }
  return args;
}

std::vector<GraphReader::ResultName> GraphReader::results_of(const std::vector<Json>& outputs) {
  std::vector<ResultName> results;
  const auto add = [&](std::string_view name, const Json& json) {
    results.push_back({name, type_of(name, json)});
  };
  for (const Json& output : outputs) {
    const std::string_view tag = output.tag();
    const Json payload = output.payload();
    if (tag == "as_tensor") {
      add(payload.field("name").as_text(), payload);
    } else if (tag == "as_tensors") {
      payload.each([&](const Json& item) { add(item.field("name").as_text(), item); });
    } else if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool") {
      const Json value = payload.payload();
      if (payload.tag() == "as_name") {
        add(value.as_text(), value);
      } else {
        results.push_back({"", Type::of_int(tag == "as_sym_int" ? value.as_int() : 0)});
      }
    } else if (tag == "as_none") {
      results.push_back({"", undefined_type()});
    } else {
      output.fail("results of the kind " + std::string(tag.substr(0, 60)) + " are not supported",
                  Status::kNotSupported);
    }
  }
  return results;
}

void GraphReader::choose_dim_orders(const ops::Schema& schema, const std::vector<Argument>& args,
                                    std::vector<ResultName>* results) {
  const bool asked = asks_for_channels_last(schema, args);
  for (ResultName& result : *results) {
    std::vector<uint8_t>& order = result.type.tensor.dim_order;
    if (!result.type.is_tensor() || order.empty() || asked) {
      continue;
    }
    bool inherited = false;
    for (const Argument& arg : args) {
      ir::for_each_value_in(arg, [&](const ir::Value* value) {
        inherited |= value->is_tensor() && value->tensor().dim_order == order;
      });
    }
    if (!inherited) {
      order.clear();
    }
  }
}

ir::Node* GraphReader::add_node(const Json& node, const Target& target, std::vector<Argument> args,
                                const std::vector<ResultName>& results) {
  const ops::Schema& schema = target.info->schema;
  std::vector<Type> types;
  for (const ResultName& result : results) {
    types.push_back(result.type);
  }
  if (target.in_place && (args.empty() || !args[0].is_value() || !args[0].value()->is_tensor())) {
    node.fail("an in-place operator without a tensor to write to");
    return nullptr;
  }
  bool lists = false;
  for (size_t i = 0; i < schema.return_count; ++i) {
    lists |= schema.returns[i].list;
  }
  if (!lists && types.size() > schema.return_count) {
    node.field("outputs").fail("the operator has " + std::to_string(schema.return_count) +
                               " results, not " + std::to_string(types.size()));
    return nullptr;
  }
  while (!lists && types.size() < schema.return_count) {
    types.push_back(target.in_place && types.empty() ? args[0].value()->type : undefined_type());
  }
  ir::Node* made = graph_->add_node(*target.info, std::move(args), std::move(types));
  made->source = source_of(node);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].name.empty()) {
      graph_->rename(made->result(i), std::string(results[i].name));
      scope_.bind(results[i].name, made->result(i));
    }
  }
  return made;
}

std::shared_ptr<ir::Graph> GraphReader::read_body(const Json& as_graph) {
  auto body = std::make_shared<ir::Graph>();
  body->name = as_graph.field("name").as_text();
  const Json json = as_graph.field("graph");
  GraphReader reader(context_, json, body.get());
  reader.read_types();
  reader.add_body_inputs();
  reader.read_nodes();
  body->outputs = reader.read_outputs();
  return body;
}

void GraphReader::inline_body(const Json& node, TargetForm form) {
  std::vector<Argument> operands;
  std::vector<Argument> outputs;
  const Json inputs = node.field("inputs");
  bool found = false;
  // The body comes before its operands.
  inputs.each([&](const Json& input) {
    const Json arg = input.field("arg");
    if (arg.tag() == "as_graph") {
      found = true;
    } else if (found && arg.tag() != "as_string" && arg.tag() != "as_string_to_argument") {
      flatten(read_argument(arg, scope_), &operands);
    }
  });
  if (!found) {
    node.fail("no body among the inputs");
  }
  bool autocast_seen = false;
  inputs.each([&](const Json& input) {
    const Json arg = input.field("arg");
    if (form == TargetForm::kAutocast && arg.tag() == "as_bool" &&
        !std::exchange(autocast_seen, true) && arg.payload().as_bool()) {
      arg.fail(
          "a region under autocast is not supported; export with autocast off, or convert the "
          "model (model.half(), model.bfloat16())",
          Status::kNotSupported);
    }
    if (arg.tag() != "as_graph") {
      return;
    }
    const Json payload = arg.payload();
    const Json json = payload.field("graph");
    GraphReader body(context_, json, graph_);
    body.read_types();
    const Json parameters = json.field("inputs");
    if (parameters.size() != operands.size()) {
      parameters.fail("the body takes " + std::to_string(parameters.size()) + " inputs and gets " +
                      std::to_string(operands.size()));
    }
    size_t position = 0;
    parameters.each([&](const Json& parameter) {
      const Json value = parameter.payload();
      const Json name = value.optional("name");
      const Json sym_name = value.optional("as_name");
      if (name.is_text() || sym_name.is_text()) {
        body.scope().bind(name.is_text() ? name.as_text() : sym_name.as_text(), operands[position]);
      }
      ++position;
    });
    body.read_nodes();
    outputs = body.read_outputs();
  });
  const Json outputs_json = node.field("outputs");
  const std::vector<ResultName> results = results_of(items_of(outputs_json));
  if (node.ok() && results.size() > outputs.size()) {
    node.field("outputs").fail("more results than the body has outputs");
  }
  for (size_t i = 0; i < results.size() && node.ok(); ++i) {
    scope_.bind(results[i].name, outputs[i]);
  }
}

void GraphReader::read_symbolic_sum(const Json& node, const Target& target) {
  std::vector<Argument> terms;
  const Json inputs = node.field("inputs");
  inputs.each([&](const Json& input) {
    const Json arg = input.field("arg");
    flatten(read_argument(arg, scope_), &terms);
  });
  const Json outputs_json = node.field("outputs");
  const std::vector<ResultName> results = results_of(items_of(outputs_json));
  if (node.ok() && (terms.empty() || results.size() != 1)) {
    node.fail("a sum of nothing");
  }
  if (!node.ok()) {
    return;
  }
  const uint32_t debug_handle = context_->next_debug_handle++;
  ir::Dim sum = 0;
  Argument total = 0;
  for (const Argument& term : terms) {
    if (!term.is_int() && !(term.is_value() && term.value()->type.kind == Type::Kind::kInt)) {
      node.fail("a sum of other things than ints", Status::kNotSupported);
      return;
    }
    sum = sum + (term.is_int() ? ir::Dim(term.integer()) : term.value()->type.value);
    ir::Node* made = graph_->add_node(*target.info, {total, term}, {Type::of_int(sum)});
    made->source = source_of(node);
    made->debug_handle = debug_handle;
    total = made->result();
  }
  graph_->rename(total.value(), std::string(results[0].name));
  scope_.bind(results[0].name, total);
}

void GraphReader::read_subclass_access(const Json& node) {
  const StoredSubclass* subclass = nullptr;
  std::string attribute;
  const Json inputs = node.field("inputs");
  inputs.each([&](const Json& input) {
    const Json arg = input.field("arg");
    if (arg.tag() == "as_tensor") {
      subclass = scope_.find_subclass(arg.payload().field("name").as_text());
    } else if (arg.tag() == "as_string") {
      attribute = arg.payload().as_text();
    }
  });
  const Json outputs_json = node.field("outputs");
  const std::vector<ResultName> results = results_of(items_of(outputs_json));
  if (!node.ok()) {
    return;
  }
  if (subclass == nullptr || results.size() != 1) {
    node.fail("looks into something that is not a stored tensor subclass", Status::kNotSupported);
    return;
  }
  const auto tensor = subclass->tensors.find(attribute);
  if (tensor == subclass->tensors.end()) {
    node.fail("the tensor subclass " + subclass->class_name + " has no tensor '" + attribute + "'",
              Status::kNotSupported);
    return;
  }
  ir::Expected<ir::ConstantPtr> constant =
      context_->constants->add(tensor->second, std::string(results[0].name));
  if (!constant.ok()) {
    node.fail(constant.error().text, constant.error().status);
    return;
  }
  scope_.bind(results[0].name, graph_->add_constant(*constant));
}

}  // namespace cresset::frontend
