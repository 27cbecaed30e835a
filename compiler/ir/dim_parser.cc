// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/dim_parser.h"

#include <charconv>

#include "compiler/ir/parse.h"

namespace cresset::ir {

namespace {

constexpr int kMaxDepth = 100;

Expected<Dim> read_sum(Lexer& lexer, int depth);

// The name of an unknown: everything up to the parenthesis that closes it.
Expected<Dim> read_unknown(Lexer& lexer) {
  const char* begin = lexer.peek().begin;
  const char* end = begin;
  for (int depth = 0; depth > 0 || !lexer.is_sign(")"); lexer.next()) {
    if (lexer.at_end()) {
      return lexer.error("expected ')'");
    }
    depth += lexer.is_sign("(") ? 1 : lexer.is_sign(")") ? -1 : 0;
    end = lexer.peek().end;
  }
  lexer.next();
  return Dim::unknown(std::string(begin, end));
}

Expected<Dim> read_function(Lexer& lexer, const Token& name, int depth) {
  if (name.text == "unknown") {
    return read_unknown(lexer);
  }
  Expected<Dim> a = read_sum(lexer, depth);
  if (!a.ok()) {
    return a;
  }
  if (!lexer.take_sign(",")) {
    return lexer.error("expected ','");
  }
  Expected<Dim> b = read_sum(lexer, depth);
  if (!b.ok()) {
    return b;
  }
  if (!lexer.take_sign(")")) {
    return lexer.error("expected ')'");
  }
  if (name.text == "floordiv") {
    return floor_div(*a, *b);
  }
  if (name.text == "mod") {
    return mod(*a, *b);
  }
  if (name.text == "max") {
    return max(*a, *b);
  }
  if (name.text == "min") {
    return min(*a, *b);
  }
  return bad_model("no function of sizes is called '" + name.text + "'");
}

Expected<Dim> read_factor(Lexer& lexer, int depth) {
  if (depth > kMaxDepth) {
    return lexer.error("sizes nest too deeply");
  }
  if (lexer.take_sign("-")) {
    Expected<Dim> factor = read_factor(lexer, depth + 1);
    return factor.ok() ? Expected<Dim>(*factor * Dim(-1)) : factor;
  }
  if (lexer.take_sign("(")) {
    Expected<Dim> sum = read_sum(lexer, depth + 1);
    return !sum.ok() || lexer.take_sign(")") ? sum : lexer.error("expected ')'");
  }
  if (lexer.peek().kind == Token::Kind::kNumber) {
    Expected<int64_t> value = read_integer(lexer);
    return value.ok() ? Expected<Dim>(Dim(*value)) : Expected<Dim>(value.error());
  }
  if (lexer.peek().kind != Token::Kind::kWord) {
    return lexer.error("expected a size");
  }
  const Token name = lexer.next();
  if (lexer.take_sign("(")) {
    return read_function(lexer, name, depth + 1);
  }
  return Dim::symbol(name.text);
}

Expected<Dim> read_product(Lexer& lexer, int depth) {
  Expected<Dim> product = read_factor(lexer, depth);
  while (product.ok() && lexer.take_sign("*")) {
    Expected<Dim> factor = read_factor(lexer, depth);
    if (!factor.ok()) {
      return factor;
    }
    *product = *product * *factor;
  }
  return product;
}

Expected<Dim> read_sum(Lexer& lexer, int depth) {
  Expected<Dim> sum = read_product(lexer, depth);
  while (sum.ok() && (lexer.is_sign("+") || lexer.is_sign("-"))) {
    const bool minus = lexer.next().text == "-";
    Expected<Dim> product = read_product(lexer, depth);
    if (!product.ok()) {
      return product;
    }
    *sum = minus ? *sum - *product : *sum + *product;
  }
  return sum;
}

}  // namespace

Expected<Dim> read_dim(Lexer& lexer) { return read_sum(lexer, 0); }

Expected<int64_t> read_integer(Lexer& lexer) {
  const bool negative = lexer.take_sign("-");
  const std::string digits = (negative ? "-" : "") + lexer.peek().text;
  int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value);
  if (lexer.peek().kind != Token::Kind::kNumber || error != std::errc() || at != end) {
    return lexer.error("expected an integer");
  }
  lexer.next();
  return value;
}

Expected<Dim> parse_dim(std::string_view text) {
  Lexer lexer(text);
  Expected<Dim> dim = read_dim(lexer);
  return !dim.ok() || lexer.at_end() ? dim : lexer.error("expected the end of the size");
}

}  // namespace cresset::ir
