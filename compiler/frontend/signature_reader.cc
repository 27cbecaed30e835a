// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/signature_reader.h"

#include <algorithm>

namespace cresset::frontend {

using ir::Argument;
using ir::Value;
using Dictionary = Payloads::Dictionary;

namespace {

std::string shown(std::string_view name) { return "'" + std::string(name.substr(0, 120)) + "'"; }

// Calls visit(spec, argument) for both lists in step.
template <class Visit>
void each_pair(const Json& specs, const Json& arguments, Visit&& visit) {
  const size_t count = specs.size();
  if (count != arguments.size()) {
    specs.fail("has " + std::to_string(count) + " items for " + std::to_string(arguments.size()) +
               " of the graph");
    return;
  }
  // Two lists of one length cannot be walked together without indices, which would be quadratic.
  std::vector<Json> items;
  items.reserve(count);
  specs.each([&](const Json& spec) { items.push_back(spec); });
  size_t i = 0;
  arguments.each([&](const Json& argument) { visit(items[i++], argument); });
}

}  // namespace

void SignatureReader::read_inputs(const std::vector<std::string>& paths) {
  const Json output_specs = signature_.field("output_specs");
  output_specs.each([&](const Json& spec) {
    if (spec.tag() == "buffer_mutation") {
      const Json payload = spec.payload();
      written_.emplace(payload.field("buffer_name").as_text());
    }
  });
  const Json specs = signature_.field("input_specs");
  const Json inputs = graph_json_.field("inputs");
  each_pair(specs, inputs, [&](const Json& spec, const Json& input) { read_input(spec, input); });
  if (paths.size() == graph_->inputs.size()) {
    for (size_t i = 0; i < paths.size(); ++i) {
      graph_->inputs[i].name = paths[i];
    }
  }
}

void SignatureReader::read_input(const Json& spec, const Json& input) {
  const std::string_view tag = spec.tag();
  const Json payload = spec.payload();
  if (tag == "user_input") {
    add_user_input(payload.field("arg"));
    return;
  }
  if (tag == "constant_input") {
    const Json value = payload.field("value");
    const std::string_view name = payload.field("name").as_text();
    graph_->inputs.push_back(
        {std::string(name), nullptr, read_argument(value, reader_->scope()), nullptr});
    return;
  }
  const std::string_view placeholder = payload.field("arg").field("name").as_text();
  const Json graph_name = input.payload();
  if (graph_name.ok() && graph_name.field("name").as_text() != placeholder) {
    input.fail("the signature calls this input " + shown(placeholder));
  }
  if (tag == "parameter") {
    add_stored(payload.field("parameter_name"), placeholder, false, Dictionary::kWeights);
  } else if (tag == "buffer") {
    const Json persistent = payload.optional("persistent");
    const bool stored = persistent.is_null() || persistent.as_bool();
    const Json name = payload.field("buffer_name");
    add_stored(name, placeholder, written_.count(name.as_text()) != 0,
               stored ? Dictionary::kWeights : Dictionary::kConstants);
  } else if (tag == "tensor_constant") {
    add_stored(payload.field("tensor_constant_name"), placeholder, false, Dictionary::kConstants);
  } else if (tag == "custom_obj") {
    reader_->scope().bind_unusable(
        placeholder,
        "TorchBind object " + shown(placeholder) + " is used; it cannot be read without its class");
  } else if (tag == "token") {
    reader_->scope().bind(placeholder, Argument());
  } else {
    spec.fail("unknown tag " + shown(tag));
  }
}

void SignatureReader::add_user_input(const Json& arg) {
  const std::string_view tag = arg.tag();
  const Json payload = arg.payload();
  const bool tensor = tag == "as_tensor";
  if (tensor || (tag.substr(0, 7) == "as_sym_" && payload.tag() == "as_name")) {
    const std::string_view name =
        tensor ? payload.field("name").as_text() : payload.payload().as_text();
    ir::Type type = reader_->type_of(name, payload);
    if (!arg.ok()) {
      return;
    }
    user_inputs_.emplace(name, graph_->inputs.size());
    reader_->scope().bind(name, graph_->add_input(std::string(name), std::move(type)));
    return;
  }
  if (tag == "as_custom_obj") {
    arg.fail("an input that is a TorchBind object is not supported", Status::kNotSupported);
    return;
  }
  graph_->inputs.push_back({"input" + std::to_string(graph_->inputs.size()), nullptr,
                            read_argument(arg, reader_->scope()), nullptr});
}

void SignatureReader::add_stored(const Json& name_json, std::string_view placeholder, bool written,
                                 Dictionary dictionary) {
  const std::string name(name_json.as_text());
  const ir::Type type = reader_->type_of(placeholder, name_json);
  if (!name_json.ok()) {
    return;
  }
  if (payloads_->is_subclass(dictionary, name)) {
    ir::Expected<StoredSubclass> subclass = payloads_->subclass(dictionary, name);
    if (!subclass.ok()) {
      name_json.document().set_error(subclass.error());
      return;
    }
    reader_->scope().bind_subclass(placeholder, std::move(*subclass));
    return;
  }
  ir::Expected<StoredTensor> stored = payloads_->tensor(dictionary, name);
  if (!stored.ok()) {
    name_json.document().set_error(stored.error());
    return;
  }
  const std::vector<ir::Dim> sizes(stored->sizes.begin(), stored->sizes.end());
  if (stored->dtype != type.tensor.dtype || sizes != type.tensor.sizes) {
    name_json.fail(shown(name) + " is stored as " + dtype_text(stored->dtype) +
                   ir::sizes_text(sizes) + ", but the graph takes " +
                   dtype_text(type.tensor.dtype) + ir::sizes_text(type.tensor.sizes));
    return;
  }
  ir::Expected<ir::ConstantPtr> constant = context_->constants->add(*stored, name);
  if (!constant.ok()) {
    name_json.fail(constant.error().text, constant.error().status);
    return;
  }
  // Two names for one tensor are one value, so a tensor that is written under one of them must not
  // be a constant under the other.
  Value*& known = stored_[constant->get()];
  if (known == nullptr) {
    known = written ? graph_->add_buffer(name, *constant) : graph_->add_constant(*constant);
  } else if (written && known->origin() != Value::Origin::kBuffer) {
    name_json.fail(shown(name) + ", which is written, is also known as " + shown(known->name),
                   Status::kNotSupported);
  }
  if (written) {
    buffers_.emplace(name, known);
  }
  reader_->scope().bind(placeholder, known);
}

void SignatureReader::read_outputs(const std::vector<std::string>& paths) {
  const Json specs = signature_.field("output_specs");
  const Json outputs = graph_json_.field("outputs");
  each_pair(specs, outputs,
            [&](const Json& spec, const Json& output) { read_output(spec, output); });
  if (paths.size() == graph_->outputs.size()) {
    graph_->output_names = paths;
  }
}

void SignatureReader::read_output(const Json& spec, const Json& output) {
  const std::string_view tag = spec.tag();
  const Json payload = spec.payload();
  if (tag == "token") {
    return;
  }
  const Argument value = read_argument(output, reader_->scope());
  if (tag == "user_output") {
    if (value.is_list()) {
      output.fail("a list as an output is not supported", Status::kNotSupported);
    }
    graph_->outputs.push_back(value);
    return;
  }
  const bool to_buffer = tag == "buffer_mutation";
  if (!to_buffer && tag != "user_input_mutation") {
    const bool training = tag == "loss_output" || tag.substr(0, 9) == "gradient_";
    spec.fail(training
                  ? "a training graph (with gradients) cannot be compiled; export the model in "
                    "eval mode"
                  : "outputs of the kind " + shown(tag) + " are not supported",
              Status::kNotSupported);
    return;
  }
  const Json name_json = payload.field(to_buffer ? "buffer_name" : "user_input_name");
  const std::string_view name = name_json.as_text();
  if (!output.ok()) {
    return;
  }
  if (!value.is_value() || !value.value()->is_tensor()) {
    output.fail("a tensor should be written, and this is none");
    return;
  }
  if (to_buffer) {
    const auto found = buffers_.find(name);
    if (found == buffers_.end()) {
      name_json.fail("there is no buffer " + shown(name));
      return;
    }
    for (ir::Buffer& buffer : graph_->buffers) {
      if (buffer.value == found->second) {
        buffer.update = value.value();
      }
    }
  } else {
    const auto found = user_inputs_.find(name);
    if (found == user_inputs_.end()) {
      name_json.fail("there is no input " + shown(name));
      return;
    }
    graph_->inputs[found->second].update = value.value();
  }
}

}  // namespace cresset::frontend
