// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/argument_reader.h"

#include "compiler/frontend/schema_enums.h"

namespace cresset::frontend {

using ir::Argument;
using ir::ArgumentList;
using ops::TypeTag;

namespace {

Argument memory_format(const Json& json) {
  switch (json.as_int()) {
    case 1:
      return 0;
    case 2:
      return 2;
    case 3:
      return 3;
    case 4:
      return 1;
    default:
      json.fail("unknown memory format");
      return {};
  }
}

// SymIntArgument, SymFloatArgument, SymBoolArgument, OptionalTensorArgument: a name or a constant.
Argument read_named_or_constant(const Json& json, const Scope& scope) {
  const std::string_view tag = json.tag();
  const Json payload = json.payload();
  if (tag == "as_name") {
    return scope.find(payload.as_text(), payload);
  }
  if (tag == "as_tensor") {
    const Json name = payload.field("name");
    return scope.find(name.as_text(), name);
  }
  if (tag == "as_int") {
    return payload.as_int();
  }
  if (tag == "as_float") {
    return payload.as_double();
  }
  if (tag == "as_bool") {
    return payload.as_bool();
  }
  if (tag != "as_none") {
    json.fail("unknown tag '" + std::string(tag) + "'");
  }
  return {};
}

template <class Read>
Argument read_list(const Json& json, Read&& read) {
  ArgumentList items;
  json.each([&](const Json& item) { items.push_back(read(item)); });
  return items;
}

const char* type_text(TypeTag type) {
  switch (type) {
    case TypeTag::kTensor:
      return "tensor";
    case TypeTag::kScalar:
      return "number";
    case TypeTag::kInt:
      return "int";
    case TypeTag::kFloat:
      return "float";
    case TypeTag::kBool:
      return "bool";
    case TypeTag::kString:
      return "text";
    case TypeTag::kDType:
      return "dtype";
    case TypeTag::kMemoryFormat:
      return "memory format";
    case TypeTag::kGraph:
      return "graph";
    case TypeTag::kLayout:
    case TypeTag::kDevice:
    case TypeTag::kGenerator:
      break;
  }
  return "nothing";
}

bool is_dropped(TypeTag type) {
  return type == TypeTag::kLayout || type == TypeTag::kDevice || type == TypeTag::kGenerator;
}

// One item in its declared type; false where it does not fit.
bool conform_item(Argument* item, TypeTag type) {
  if (is_dropped(type)) {
    *item = Argument();
    return true;
  }
  // Values of sizes and of tensors stand where numbers do, and the other way round.
  if (item->is_value()) {
    return type != TypeTag::kString && type != TypeTag::kDType && type != TypeTag::kGraph &&
           type != TypeTag::kMemoryFormat;
  }
  switch (type) {
    case TypeTag::kTensor:
    case TypeTag::kScalar:
      return item->is_number();
    case TypeTag::kInt:
      if (item->is_bool()) {
        *item = item->integer();
      }
      return item->is_int();
    case TypeTag::kFloat:
      if (!item->is_number()) {
        return false;
      }
      *item = item->number();
      return true;
    case TypeTag::kBool:
      if (item->is_int()) {
        *item = item->boolean();
      }
      return item->is_bool();
    case TypeTag::kString:
      return item->is_string();
    case TypeTag::kDType:
      return item->is_dtype();
    case TypeTag::kMemoryFormat:
      return item->is_int();
    case TypeTag::kGraph:
      return item->is_graph();
    default:
      return false;
  }
}

}  // namespace

Argument Scope::find(std::string_view name, const Json& json) const {
  const std::string key(name);
  if (const auto found = names_.find(key); found != names_.end()) {
    return found->second;
  }
  if (const auto found = unusable_.find(key); found != unusable_.end()) {
    json.fail(found->second, Status::kNotSupported);
  } else if (const auto subclass = subclasses_.find(key); subclass != subclasses_.end()) {
    json.fail("the tensor subclass " + subclass->second.class_name + " is used as a plain tensor",
              Status::kNotSupported);
  } else {
    json.fail("nothing is called '" + key.substr(0, 120) + "'");
  }
  return {};
}

const StoredSubclass* Scope::find_subclass(std::string_view name) const {
  const auto found = subclasses_.find(name);
  return found == subclasses_.end() ? nullptr : &found->second;
}

Argument read_argument(const Json& argument, const Scope& scope) {
  const std::string_view tag = argument.tag();
  const Json payload = argument.payload();
  const auto named = [&](const Json& item) {
    const Json name = item.field("name");
    return scope.find(name.as_text(), name);
  };
  const auto named_or_constant = [&](const Json& item) {
    return read_named_or_constant(item, scope);
  };
  const auto as_int = [](const Json& item) { return Argument(item.as_int()); };
  const auto as_double = [](const Json& item) { return Argument(item.as_double()); };

  if (tag == "as_tensor") {
    return named(payload);
  }
  if (tag == "as_none" || tag == "as_device" || tag == "as_layout") {
    return {};
  }
  if (tag == "as_int") {
    return as_int(payload);
  }
  if (tag == "as_float") {
    return as_double(payload);
  }
  if (tag == "as_bool") {
    return payload.as_bool();
  }
  if (tag == "as_string") {
    return std::string(payload.as_text());
  }
  if (tag == "as_scalar_type") {
    return read_dtype(payload);
  }
  if (tag == "as_memory_format") {
    return memory_format(payload);
  }
  if (tag == "as_tensors") {
    return read_list(payload, named);
  }
  if (tag == "as_optional_tensor" || tag == "as_sym_int" || tag == "as_sym_float" ||
      tag == "as_sym_bool") {
    return named_or_constant(payload);
  }
  if (tag == "as_optional_tensors" || tag == "as_sym_ints" || tag == "as_sym_floats" ||
      tag == "as_sym_bools") {
    return read_list(payload, named_or_constant);
  }
  if (tag == "as_ints") {
    return read_list(payload, as_int);
  }
  if (tag == "as_floats") {
    return read_list(payload, as_double);
  }
  if (tag == "as_bools") {
    return read_list(payload, [](const Json& item) { return Argument(item.as_bool()); });
  }
  if (tag == "as_strings") {
    return read_list(payload,
                     [](const Json& item) { return Argument(std::string(item.as_text())); });
  }
  if (tag == "as_nested_tensors") {
    return read_list(payload, [&](const Json& item) { return read_list(item, named); });
  }
  if (tag == "as_int_lists") {
    return read_list(payload, [&](const Json& item) { return read_list(item, as_int); });
  }
  if (tag == "as_float_lists") {
    return read_list(payload, [&](const Json& item) { return read_list(item, as_double); });
  }
  const bool known = tag == "as_complex" || tag == "as_operator" || tag == "as_custom_obj" ||
                     tag == "as_string_to_argument" || tag == "as_graph";
  argument.fail("arguments of the kind " + std::string(tag.substr(0, 60)) + " are not supported",
                known ? Status::kNotSupported : Status::kInvalidExternalData);
  return {};
}

Argument conform_argument(Argument argument, const ops::SchemaArg& declared, const Json& json) {
  if (argument.is_none() || is_dropped(declared.type)) {
    if (declared.optional || is_dropped(declared.type)) {
      return {};
    }
    return omitted_argument(declared, json);
  }
  if (declared.list && !argument.is_list()) {
    argument = ArgumentList(std::max<size_t>(declared.list_length, 1), argument);
  }
  bool fits = declared.list == argument.is_list();
  if (fits && declared.list) {
    for (Argument& item : argument.list()) {
      fits =
          fits && (item.is_none() ? declared.optional_items : conform_item(&item, declared.type));
    }
  } else if (fits) {
    fits = conform_item(&argument, declared.type);
  }
  if (!fits) {
    json.fail("the argument '" + std::string(declared.name) + "' should be a " +
              (declared.list ? "list of " : "") + type_text(declared.type) +
              (declared.list ? "s" : ""));
  }
  return argument;
}

Argument omitted_argument(const ops::SchemaArg& declared, const Json& json) {
  if (!declared.default_text.empty()) {
    return ir::default_argument(declared);
  }
  if (!declared.optional && !is_dropped(declared.type)) {
    if (declared.list) {
      return ArgumentList();
    }
    json.fail("the argument '" + std::string(declared.name) + "' is missing");
  }
  return {};
}

}  // namespace cresset::frontend
