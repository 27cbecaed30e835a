// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/parse.h"

#include <fmt/core.h>

#include <charconv>
#include <map>

#include "compiler/ir/dim_parser.h"
#include "compiler/ir/infer.h"
#include "compiler/ir/lexer.h"
#include "compiler/ir/text.h"
#include "core/tensor.h"

namespace cresset::ir {

namespace {

constexpr int kMaxDepth = 100;  // of bodies and lists

// Leaves the enclosing function with the error of `expr`, if it has one.
#define CRESSET_IR_TRY(expr) \
  if (Error e_ = (expr)) {   \
    return e_;               \
  }

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options) : lexer_(text), options_(options) {}

  bool at_end() const { return lexer_.at_end(); }
  Error read_graph(Graph* graph);
  Error expect_end() { return at_end() ? Error() : lexer_.error("expected the end of the text"); }

 private:
  // The values of one graph by name.
  struct Scope {
    Graph* graph;
    std::map<std::string, Value*> values;
  };

  Error expect(std::string_view sign);
  Error read_string(std::string* text);
  Error read_type(Type* type);
  Error read_tensor_type(DType dtype, TensorType* type);
  Error read_input(Scope* scope);
  Error read_statement(Scope* scope, bool* done);
  Error read_range(const std::string& symbol, Graph* graph);
  Error read_update(Scope* scope);
  Error read_outputs(Scope* scope);
  Error read_held(Scope* scope, const std::string& name, bool buffer);
  Error read_data(std::vector<std::string>* elements, std::string* kind);
  Error read_element(std::string* text);
  Error read_argument(Scope* scope, Argument* argument);
  Error read_literal(const std::string& word, Argument* argument);
  Error read_number(Argument* argument);
  Error read_args(Scope* scope, const ops::OpInfo& info, std::vector<Argument>* args);
  Error read_node(Scope* scope, const std::vector<std::string>& names, const Token& op);
  Error read_result_types(std::vector<Type>* types);
  Error read_origin(Node* node);
  Error define(Scope* scope, Value* value, const std::string& name);
  Expected<Value*> find(Scope* scope);

  Lexer lexer_;
  const ParseOptions& options_;
  int depth_ = 0;
};

Error Parser::expect(std::string_view sign) {
  return lexer_.take_sign(sign) ? Error() : lexer_.error(fmt::format("expected '{}'", sign));
}

Error Parser::read_string(std::string* text) {
  if (lexer_.peek().kind != Token::Kind::kString) {
    return lexer_.error("expected a text in quotes");
  }
  *text = lexer_.next().text;
  return {};
}

Error Parser::read_tensor_type(DType dtype, TensorType* type) {
  type->dtype = dtype;
  CRESSET_IR_TRY(expect("["));
  while (!lexer_.take_sign("]")) {
    Expected<Dim> size = read_dim(lexer_);
    if (!size.ok()) {
      return size.error();
    }
    type->sizes.push_back(*size);
    if (!lexer_.is_sign("]")) {
      CRESSET_IR_TRY(expect(","));
    }
  }
  if (!lexer_.take_word("order")) {
    return {};
  }
  CRESSET_IR_TRY(expect("["));
  while (!lexer_.take_sign("]")) {
    Expected<int64_t> dim = read_integer(lexer_);
    if (!dim.ok()) {
      return dim.error();
    }
    type->dim_order.push_back(static_cast<uint8_t>(*dim));
    if (!lexer_.is_sign("]")) {
      CRESSET_IR_TRY(expect(","));
    }
  }
  if (type->dim_order.size() != type->sizes.size() ||
      !cresset::is_permutation(Span<const uint8_t>(type->dim_order))) {
    return lexer_.error("the order before this is no permutation of the dimensions");
  }
  return {};
}

Error Parser::read_type(Type* type) {
  if (lexer_.peek().kind != Token::Kind::kWord) {
    return lexer_.error("expected a type");
  }
  const std::string word = lexer_.peek().text;
  DType dtype;
  if (word == "float") {
    type->kind = Type::Kind::kFloat;
    lexer_.next();
    return {};
  }
  if (word == "int") {
    type->kind = Type::Kind::kInt;
    lexer_.next();
    if (!lexer_.take_sign("(")) {
      return {};
    }
    Expected<Dim> value = read_dim(lexer_);
    if (!value.ok()) {
      return value.error();
    }
    type->value = *value;
    return expect(")");
  }
  if (!dtype_of_short_name(word, &dtype)) {
    return lexer_.error("expected a type");
  }
  lexer_.next();
  if (dtype == DType::kBool && !lexer_.is_sign("[")) {
    type->kind = Type::Kind::kBool;
    return {};
  }
  type->kind = Type::Kind::kTensor;
  return read_tensor_type(dtype, &type->tensor);
}

Error Parser::define(Scope* scope, Value* value, const std::string& name) {
  if (!scope->values.emplace(name, value).second) {
    return lexer_.error(fmt::format("%{} is defined twice; before this", name));
  }
  scope->graph->rename(value, name);
  return {};
}

Expected<Value*> Parser::find(Scope* scope) {
  if (lexer_.peek().kind != Token::Kind::kValue) {
    return lexer_.error("expected a value");
  }
  const auto found = scope->values.find(lexer_.peek().text);
  if (found == scope->values.end()) {
    return lexer_.error("the value is not defined before this");
  }
  lexer_.next();
  return found->second;
}

Error Parser::read_input(Scope* scope) {
  if (lexer_.peek().kind == Token::Kind::kString) {
    UserInput input;
    input.name = lexer_.next().text;
    CRESSET_IR_TRY(expect("="));
    CRESSET_IR_TRY(read_argument(scope, &input.specialised));
    scope->graph->inputs.push_back(std::move(input));
    return {};
  }
  if (lexer_.peek().kind != Token::Kind::kValue) {
    return lexer_.error("expected an input");
  }
  const std::string name = lexer_.next().text;
  std::string path = name;
  if (lexer_.peek().kind == Token::Kind::kString) {
    path = lexer_.next().text;
  }
  CRESSET_IR_TRY(expect(":"));
  Type type;
  CRESSET_IR_TRY(read_type(&type));
  return define(scope, scope->graph->add_input(path, std::move(type)), name);
}

Error Parser::read_graph(Graph* graph) {
  if (++depth_ > kMaxDepth) {
    return lexer_.error("bodies nest too deeply");
  }
  if (!lexer_.take_word("graph")) {
    return lexer_.error("expected 'graph'");
  }
  const Token name = lexer_.next();
  if (name.kind == Token::Kind::kSign || name.kind == Token::Kind::kEnd) {
    return lexer_.error("a graph has no name before this");
  }
  graph->name = name.text;
  Scope scope{graph, {}};
  CRESSET_IR_TRY(expect("("));
  while (!lexer_.take_sign(")")) {
    CRESSET_IR_TRY(read_input(&scope));
    if (!lexer_.is_sign(")")) {
      CRESSET_IR_TRY(expect(","));
    }
  }
  CRESSET_IR_TRY(expect("{"));
  for (bool done = false; !done;) {
    CRESSET_IR_TRY(read_statement(&scope, &done));
  }
  --depth_;
  return expect("}");
}

Error Parser::read_statement(Scope* scope, bool* done) {
  while (lexer_.take_sign("//")) {  // a comment that looks like a node's source
    lexer_.next();
  }
  if (lexer_.take_word("return")) {
    *done = true;
    return read_outputs(scope);
  }
  if (lexer_.take_word("update")) {
    return read_update(scope);
  }
  if (lexer_.take_word("in_spec")) {
    return read_string(&scope->graph->in_spec);
  }
  if (lexer_.take_word("out_spec")) {
    return read_string(&scope->graph->out_spec);
  }
  if (lexer_.peek().kind == Token::Kind::kWord) {
    const Token word = lexer_.next();
    return lexer_.take_word("in") ? read_range(word.text, scope->graph)
                                  : read_node(scope, {}, word);
  }
  std::vector<std::string> names;
  do {
    if (lexer_.peek().kind != Token::Kind::kValue) {
      return lexer_.error("expected a value, an operator or 'return'");
    }
    names.push_back(lexer_.next().text);
  } while (lexer_.take_sign(","));
  CRESSET_IR_TRY(expect("="));
  if (lexer_.peek().kind != Token::Kind::kWord) {
    return lexer_.error("expected an operator");
  }
  const Token op = lexer_.next();
  if (op.text == "constant" || op.text == "buffer") {
    return names.size() == 1 ? read_held(scope, names[0], op.text == "buffer")
                             : lexer_.error("expected one name");
  }
  return read_node(scope, names, op);
}

Error Parser::read_range(const std::string& symbol, Graph* graph) {
  CRESSET_IR_TRY(expect("["));
  Range range;
  Expected<int64_t> min = read_integer(lexer_);
  if (!min.ok()) {
    return min.error();
  }
  range.min = *min;
  CRESSET_IR_TRY(expect(","));
  if (!lexer_.take_word("inf")) {
    Expected<int64_t> max = read_integer(lexer_);
    if (!max.ok()) {
      return max.error();
    }
    range.max = *max;
  }
  graph->ranges[symbol] = range;
  return expect("]");
}

Error Parser::read_update(Scope* scope) {
  Expected<Value*> of = find(scope);
  if (!of.ok()) {
    return of.error();
  }
  CRESSET_IR_TRY(expect("="));
  Expected<Value*> update = find(scope);
  if (!update.ok()) {
    return update.error();
  }
  for (Buffer& buffer : scope->graph->buffers) {
    if (buffer.value == *of) {
      buffer.update = *update;
      return {};
    }
  }
  for (UserInput& input : scope->graph->inputs) {
    if (input.value == *of) {
      input.update = *update;
      return {};
    }
  }
  return lexer_.error(fmt::format("%{} is no buffer or input; before this", (*of)->name));
}

Error Parser::read_outputs(Scope* scope) {
  Graph* graph = scope->graph;
  while (!lexer_.is_sign("}")) {
    Argument output;
    CRESSET_IR_TRY(read_argument(scope, &output));
    if (output.is_string() && lexer_.take_sign(":")) {
      graph->output_names.push_back(output.string());
      CRESSET_IR_TRY(read_argument(scope, &output));
    }
    graph->outputs.push_back(std::move(output));
    if (!lexer_.is_sign("}")) {
      CRESSET_IR_TRY(expect(","));
    }
  }
  return {};
}

Error Parser::read_element(std::string* text) {
  *text = lexer_.take_sign("-") ? "-" : "";
  const Token::Kind kind = lexer_.peek().kind;
  if (kind != Token::Kind::kNumber && kind != Token::Kind::kWord) {
    return lexer_.error("expected a number");
  }
  *text += lexer_.next().text;
  return {};
}

// *kind: "[", "none", "", or the word before the parenthesis.
Error Parser::read_data(std::vector<std::string>* elements, std::string* kind) {
  if (lexer_.take_word("none")) {
    *kind = "none";
  } else if (lexer_.take_sign("[")) {
    *kind = "[";
    while (!lexer_.take_sign("]")) {
      CRESSET_IR_TRY(read_element(&elements->emplace_back()));
      if (!lexer_.is_sign("]")) {
        CRESSET_IR_TRY(expect(","));
      }
    }
  } else if (lexer_.is_word("fill") || lexer_.is_word("digest")) {
    *kind = lexer_.next().text;
    CRESSET_IR_TRY(expect("("));
    CRESSET_IR_TRY(read_element(&elements->emplace_back()));
    CRESSET_IR_TRY(expect(")"));
  }
  return {};
}

Error Parser::read_held(Scope* scope, const std::string& name, bool buffer) {
  std::string label, constant_name, kind;
  CRESSET_IR_TRY(read_string(&label));
  constant_name = label;
  if (buffer && lexer_.take_sign("=")) {
    CRESSET_IR_TRY(read_string(&constant_name));
  }
  std::vector<std::string> elements;
  CRESSET_IR_TRY(read_data(&elements, &kind));
  CRESSET_IR_TRY(expect(":"));
  Type type;
  CRESSET_IR_TRY(read_type(&type));
  if (!type.is_tensor() || (kind == "none" && !buffer)) {
    return lexer_.error("a constant is a tensor with data; before this");
  }
  const std::string seed = elements.empty() ? label : elements[0];
  Expected<ConstantPtr> constant =
      kind == "[" ? constant_of(constant_name, type.tensor, {elements.begin(), elements.end()})
      : kind == "fill"
          ? constant_filled(constant_name, type.tensor, elements[0])
          : constant_pattern(constant_name, type.tensor, digest(seed.data(), seed.size()));
  if (!constant.ok()) {
    return lexer_.error(constant.error().text + "; before this");
  }
  Graph* graph = scope->graph;
  Value* value = buffer ? graph->add_buffer(label, *constant) : graph->add_constant(*constant);
  if (kind == "none") {
    graph->buffers.back().initial = nullptr;
  }
  return define(scope, value, name);
}

Error Parser::read_number(Argument* argument) {
  const bool negative = lexer_.take_sign("-");
  const std::string digits = (negative ? "-" : "") + lexer_.peek().text;
  if (digits.find_first_not_of("-0123456789") == std::string::npos &&
      lexer_.peek().kind == Token::Kind::kNumber) {
    int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || at != end) {
      return lexer_.error("expected an int64");
    }
    *argument = value;
  } else {
    double value = 0;
    const char* end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || at != end) {
      return lexer_.error("expected a number");
    }
    *argument = value;
  }
  lexer_.next();
  return {};
}

Error Parser::read_literal(const std::string& word, Argument* argument) {
  DType dtype;
  if (word == "None") {
    *argument = Argument();
  } else if (word == "true" || word == "false") {
    *argument = word == "true";
  } else if (dtype_of_short_name(word, &dtype)) {
    *argument = dtype;
  } else {
    return lexer_.error(fmt::format("'{}' is no argument; before this", word));
  }
  return {};
}

Error Parser::read_argument(Scope* scope, Argument* argument) {
  switch (lexer_.peek().kind) {
    case Token::Kind::kString:
      *argument = lexer_.next().text;
      return {};
    case Token::Kind::kValue: {
      Expected<Value*> value = find(scope);
      if (!value.ok()) {
        return value.error();
      }
      *argument = *value;
      return {};
    }
    case Token::Kind::kNumber:
      return read_number(argument);
    case Token::Kind::kWord: {
      if (lexer_.is_word("graph")) {
        auto body = std::make_shared<Graph>();
        CRESSET_IR_TRY(read_graph(body.get()));
        *argument = body;
        return {};
      }
      if (lexer_.is_word("inf") || lexer_.is_word("nan")) {
        return read_number(argument);
      }
      return read_literal(lexer_.next().text, argument);
    }
    default:
      break;
  }
  if (lexer_.is_sign("-")) {
    return read_number(argument);
  }
  if (!lexer_.take_sign("[") || ++depth_ > kMaxDepth) {
    return lexer_.error("expected an argument");
  }
  ArgumentList items;
  while (!lexer_.take_sign("]")) {
    CRESSET_IR_TRY(read_argument(scope, &items.emplace_back()));
    if (!lexer_.is_sign("]")) {
      CRESSET_IR_TRY(expect(","));
    }
  }
  --depth_;
  *argument = std::move(items);
  return {};
}

Error Parser::read_args(Scope* scope, const ops::OpInfo& info, std::vector<Argument>* args) {
  const ops::Schema& schema = info.schema;
  std::vector<bool> given(schema.arg_count, false);
  args->resize(schema.arg_count);
  CRESSET_IR_TRY(expect("("));
  for (size_t next = 0; !lexer_.take_sign(")"); ++next) {
    size_t i = next;
    Argument argument;
    if (lexer_.peek().kind == Token::Kind::kWord && !lexer_.is_word("graph") &&
        !lexer_.is_word("inf") && !lexer_.is_word("nan")) {
      const Token word = lexer_.next();
      if (lexer_.take_sign("=")) {
        const int named = schema.find(word.text);
        if (named < 0) {
          return lexer_.error(
              fmt::format("{} has no argument '{}'; before this", info.id, word.text));
        }
        i = static_cast<size_t>(named);
        CRESSET_IR_TRY(read_argument(scope, &argument));
      } else {
        CRESSET_IR_TRY(read_literal(word.text, &argument));
      }
    } else {
      CRESSET_IR_TRY(read_argument(scope, &argument));
    }
    if (i >= schema.arg_count || given[i]) {
      return lexer_.error(fmt::format("{} has too many arguments; before this", info.id));
    }
    given[i] = true;
    (*args)[i] = std::move(argument);
    if (!lexer_.is_sign(")")) {
      CRESSET_IR_TRY(expect(","));
    }
  }
  for (size_t i = 0; i < schema.arg_count; ++i) {
    const ops::SchemaArg& arg = schema.args[i];
    if (!given[i] && arg.default_text.empty()) {
      return lexer_.error(
          fmt::format("argument '{}' of {} is missing; before this", arg.name, info.id));
    }
    if (!given[i]) {
      (*args)[i] = default_argument(arg);
    }
  }
  return {};
}

Error Parser::read_result_types(std::vector<Type>* types) {
  if (!lexer_.take_sign("(")) {
    return read_type(&types->emplace_back());
  }
  while (!lexer_.take_sign(")")) {
    CRESSET_IR_TRY(read_type(&types->emplace_back()));
    if (!lexer_.is_sign(")")) {
      CRESSET_IR_TRY(expect(","));
    }
  }
  return {};
}

Error Parser::read_origin(Node* node) {
  if (lexer_.take_sign("@")) {
    Expected<int64_t> handle = read_integer(lexer_);
    if (!handle.ok()) {
      return handle.error();
    }
    node->debug_handle = static_cast<uint32_t>(*handle);
  }
  if (lexer_.take_sign("//")) {
    CRESSET_IR_TRY(read_string(&node->source.line));
    if (lexer_.take_word("in")) {
      CRESSET_IR_TRY(read_string(&node->source.module));
    }
  }
  return {};
}

Error Parser::read_node(Scope* scope, const std::vector<std::string>& names, const Token& op) {
  const ops::OpInfo* info = ops::find_op_id(op.text);
  if (info == nullptr && options_.find_op) {
    info = options_.find_op(op.text);
  }
  if (info == nullptr) {
    return bad_model(fmt::format("line {}: no operator is called '{}'", op.line, op.text));
  }
  const bool in_place = lexer_.take_sign("!");
  std::vector<Argument> args;
  CRESSET_IR_TRY(read_args(scope, *info, &args));
  std::vector<Type> types;
  if (lexer_.take_sign(":")) {
    CRESSET_IR_TRY(read_result_types(&types));
  } else if (!names.empty()) {
    Expected<std::vector<Type>> inferred = infer(*info, args, names.size());
    if (!inferred.ok()) {
      return bad_model(
          fmt::format("line {}: the types do not follow: {}", op.line, inferred.error().text));
    }
    types = *std::move(inferred);
  }
  if (types.size() != names.size()) {
    return bad_model(
        fmt::format("line {}: {} names for {} results", op.line, names.size(), types.size()));
  }
  Node* node = scope->graph->add_node(*info, std::move(args), std::move(types));
  node->in_place = in_place;
  for (size_t i = 0; i < names.size(); ++i) {
    CRESSET_IR_TRY(define(scope, node->result(i), names[i]));
  }
  return read_origin(node);
}

#undef CRESSET_IR_TRY

}  // namespace

Expected<std::shared_ptr<Graph>> parse_graph(std::string_view text, const ParseOptions& options) {
  Parser parser(text, options);
  auto graph = std::make_shared<Graph>();
  if (Error e = parser.read_graph(graph.get())) {
    return e;
  }
  if (Error e = parser.expect_end()) {
    return e;
  }
  return graph;
}

Expected<Program> parse_program(std::string_view text, const ParseOptions& options) {
  Parser parser(text, options);
  Program program;
  while (!parser.at_end()) {
    program.methods.push_back(std::make_shared<Graph>());
    if (Error e = parser.read_graph(program.methods.back().get())) {
      return e;
    }
  }
  return program;
}

}  // namespace cresset::ir
