// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/verify_args.h"

#include <fmt/core.h>

namespace cresset::ir {

namespace {

using ops::TypeTag;

bool is_number_value(const Argument& argument) {
  return argument.is_value() && !argument.value()->is_tensor();
}

bool is_value_of(const Argument& argument, Type::Kind kind) {
  return argument.is_value() && argument.value()->type.kind == kind;
}

// Whether one item (never None) is of the tag's kind.
bool fits(const Argument& argument, TypeTag tag, bool composite) {
  switch (tag) {
    case TypeTag::kTensor:
      return argument.is_value() || argument.is_number();
    case TypeTag::kScalar:
      return argument.is_number() || is_number_value(argument) ||
             (composite && argument.is_value());
    case TypeTag::kInt:
      return argument.is_int() || argument.is_bool() || is_value_of(argument, Type::Kind::kInt) ||
             is_value_of(argument, Type::Kind::kBool);
    case TypeTag::kFloat:
      return argument.is_number() || is_number_value(argument);
    case TypeTag::kBool:
      return argument.is_bool() || argument.is_int() || is_number_value(argument);
    case TypeTag::kString:
      return argument.is_string();
    case TypeTag::kDType:
      return argument.is_dtype();
    case TypeTag::kLayout:
    case TypeTag::kDevice:
    case TypeTag::kMemoryFormat:
    case TypeTag::kGenerator:
      return argument.is_int() || argument.is_string();
    case TypeTag::kGraph:
      return argument.is_graph() && argument.graph() != nullptr;
  }
  return false;
}

const char* tag_text(TypeTag tag) {
  switch (tag) {
    case TypeTag::kTensor:
      return "a tensor";
    case TypeTag::kScalar:
    case TypeTag::kFloat:
      return "a number";
    case TypeTag::kInt:
      return "an int";
    case TypeTag::kBool:
      return "a bool";
    case TypeTag::kString:
      return "a string";
    case TypeTag::kDType:
      return "a dtype";
    case TypeTag::kGraph:
      return "a body";
    default:
      return "a number or string";
  }
}

}  // namespace

std::string kind_of(const Argument& argument) {
  if (argument.is_none()) {
    return "None";
  }
  if (argument.is_value()) {
    return argument.value()->is_tensor() ? "a tensor" : "a computed number";
  }
  return argument.is_bool()     ? "a bool"
         : argument.is_int()    ? "an int"
         : argument.is_double() ? "a float"
         : argument.is_string() ? "a string"
         : argument.is_dtype()  ? "a dtype"
         : argument.is_list()   ? "a list"
                                : "a body";
}

std::string argument_fault(const ops::OpInfo& info, size_t i, const Argument& argument) {
  const ops::SchemaArg& arg = info.schema.args[i];
  if (argument.is_none()) {
    // Tensor options and generators may be absent even where the schema has no question mark.
    const bool may = arg.optional || info.schema.is_tensor_option(i) ||
                     arg.type == TypeTag::kGenerator || arg.type == TypeTag::kDevice;
    return may ? "" : fmt::format("is None, expected {}", tag_text(arg.type));
  }
  if (!arg.list) {
    return fits(argument, arg.type, info.composite)
               ? ""
               : fmt::format("is {}, expected {}", kind_of(argument), tag_text(arg.type));
  }
  if (!argument.is_list()) {
    return fmt::format("is {}, expected a list", kind_of(argument));
  }
  for (const Argument& item : argument.list()) {
    const bool hole = item.is_none() && arg.optional_items;
    if (!hole && !fits(item, arg.type, info.composite)) {
      return fmt::format("has an item that is {}, expected {}", kind_of(item), tag_text(arg.type));
    }
  }
  return "";
}

}  // namespace cresset::ir
