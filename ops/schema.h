// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cresset::ops {

// What one argument or result of an operator is, as PyTorch's schema language spells it.
enum class TypeTag : uint8_t {
  kTensor,
  kScalar,
  kInt,  // also SymInt: a size that may be known at run time only
  kFloat,
  kBool,
  kString,
  kDType,  // ScalarType
  kLayout,
  kDevice,
  kMemoryFormat,
  kGenerator,
  kGraph,  // the body of a control-flow operator
};

struct SchemaArg {
  std::string_view name;
  std::string_view default_text;  // as written, for instance "1", "None", "[]"; empty: required
  TypeTag type = TypeTag::kTensor;
  bool list = false;            // T[]
  bool optional = false;        // T? or T[]?
  bool optional_items = false;  // T?[]
  bool writes = false;          // T(a!): the operator writes into this argument
  bool keyword_only = false;
  uint8_t list_length = 0;  // n of T[n], which takes a lone value for n equal ones; 0: any length
};

inline constexpr size_t kMaxArgs = 24;
inline constexpr size_t kMaxReturns = 12;

// A schema: "(Tensor self, int dim=0, *, ScalarType? dtype=None) -> Tensor", or "-> (Tensor,
// Tensor)".
struct Schema {
  SchemaArg args[kMaxArgs];
  SchemaArg returns[kMaxReturns];  // names may be empty
  uint8_t arg_count = 0;
  uint8_t return_count = 0;
  bool valid = false;
  // Takes dtype, layout, device and pin_memory (PyTorch's "tensor options"). The kernel does not
  // see them: its output already has them.
  bool has_tensor_options = false;

  constexpr bool is_tensor_option(size_t i) const {
    return has_tensor_options &&
           (args[i].type == TypeTag::kLayout || args[i].type == TypeTag::kDevice ||
            args[i].name == "pin_memory" ||
            (args[i].type == TypeTag::kDType && args[i].name == "dtype"));
  }
  // Position of the argument with that name, or -1.
  constexpr int find(std::string_view name) const {
    for (size_t i = 0; i < arg_count; ++i) {
      if (args[i].name == name) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }
};

namespace schema_parser {

struct Cursor {
  std::string_view text;
  size_t at = 0;

  constexpr void skip_spaces() {
    while (at < text.size() && text[at] == ' ') {
      ++at;
    }
  }
  constexpr bool take(std::string_view token) {
    skip_spaces();
    if (text.substr(at, token.size()) != token) {
      return false;
    }
    at += token.size();
    return true;
  }
  constexpr std::string_view word() {
    skip_spaces();
    const size_t start = at;
    while (at < text.size() &&
           ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z') ||
            (text[at] >= '0' && text[at] <= '9') || text[at] == '_')) {
      ++at;
    }
    return text.substr(start, at - start);
  }
};

constexpr bool type_of_word(std::string_view word, TypeTag* tag) {
  struct Row {
    std::string_view word;
    TypeTag tag;
  };
  constexpr Row kRows[] = {
      {"Tensor", TypeTag::kTensor},
      {"Scalar", TypeTag::kScalar},
      {"int", TypeTag::kInt},
      {"SymInt", TypeTag::kInt},
      {"float", TypeTag::kFloat},
      {"bool", TypeTag::kBool},
      {"str", TypeTag::kString},
      {"ScalarType", TypeTag::kDType},
      {"Layout", TypeTag::kLayout},
      {"Device", TypeTag::kDevice},
      {"MemoryFormat", TypeTag::kMemoryFormat},
      {"Generator", TypeTag::kGenerator},
      {"Graph", TypeTag::kGraph},
  };
  for (const Row& row : kRows) {
    if (row.word == word) {
      *tag = row.tag;
      return true;
    }
  }
  return false;
}

constexpr bool parse_type(Cursor& c, SchemaArg* arg) {
  if (!type_of_word(c.word(), &arg->type)) {
    return false;
  }
  if (c.take("(a!)") || c.take("(b!)") || c.take("(c!)")) {
    arg->writes = true;
  }
  const bool question = c.take("?");
  if (c.take("[")) {
    arg->list = true;
    arg->optional_items = question;
    for (const char digit : c.word()) {
      if (digit < '0' || digit > '9') {
        return false;
      }
      arg->list_length = static_cast<uint8_t>(arg->list_length * 10 + (digit - '0'));
    }
    if (!c.take("]")) {
      return false;
    }
    arg->optional = c.take("?");
  } else {
    arg->optional = question;
  }
  return true;
}

// Up to the comma or closing parenthesis that ends the argument; brackets nest.
constexpr std::string_view default_value(Cursor& c) {
  c.skip_spaces();
  const size_t start = c.at;
  int depth = 0;
  while (c.at < c.text.size()) {
    const char ch = c.text[c.at];
    if (depth == 0 && (ch == ',' || ch == ')')) {
      break;
    }
    depth += ch == '[' ? 1 : ch == ']' ? -1 : 0;
    ++c.at;
  }
  return c.text.substr(start, c.at - start);
}

constexpr bool parse_args(Cursor& c, Schema* schema) {
  bool keyword_only = false;
  if (!c.take("(")) {
    return false;
  }
  while (!c.take(")")) {
    if (c.take("*")) {
      keyword_only = true;
    } else {
      if (schema->arg_count == kMaxArgs) {
        return false;
      }
      SchemaArg& arg = schema->args[schema->arg_count++];
      arg.keyword_only = keyword_only;
      if (!parse_type(c, &arg)) {
        return false;
      }
      arg.name = c.word();
      if (arg.name.empty()) {
        return false;
      }
      if (c.take("=")) {
        arg.default_text = default_value(c);
      }
      schema->has_tensor_options |= arg.type == TypeTag::kLayout;
    }
    c.take(",");
  }
  return true;
}

constexpr bool parse_returns(Cursor& c, Schema* schema) {
  if (!c.take("->")) {
    return false;
  }
  if (!c.take("(")) {
    return parse_type(c, &schema->returns[schema->return_count++]);
  }
  while (!c.take(")")) {
    if (schema->return_count == kMaxReturns ||
        !parse_type(c, &schema->returns[schema->return_count])) {
      return false;
    }
    schema->returns[schema->return_count++].name = c.word();
    c.take(",");
  }
  return true;
}

}  // namespace schema_parser

// Reads a schema; .valid is false where the text is not one. Works at compile time and at run time;
// the result's names point into `text`.
constexpr Schema parse_schema(std::string_view text) {
  Schema schema;
  schema_parser::Cursor cursor{text};
  schema.valid =
      schema_parser::parse_args(cursor, &schema) && schema_parser::parse_returns(cursor, &schema);
  cursor.skip_spaces();
  schema.valid = schema.valid && cursor.at == text.size();
  return schema;
}

}  // namespace cresset::ops
