// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/expression_parser.h"

#include <gtest/gtest.h>

namespace cresset::frontend {
namespace {

using ir::Dim;

// The value of the expression with s0 = 7 and s1 = 5.
int64_t value(const std::string& text) {
  const ir::Expected<Dim> dim = parse_expression(text);
  EXPECT_TRUE(dim.ok()) << dim.error().text;
  const std::optional<int64_t> value = dim->evaluate({{"s0", 7}, {"s1", 5}});
  EXPECT_TRUE(value.has_value()) << text << " is " << dim->text();
  return value.value_or(-1);
}

TEST(ExpressionParser, ReadsBothSpellings) {
  const struct {
    const char* repr;
    const char* text;
    int64_t value;
  } kCases[] = {
      {"Symbol('s0', positive=True, integer=True)", "s0", 7},
      {"Integer(-3)", "-3", -3},
      {"Add(Mul(Integer(2), Symbol('s0')), Integer(-1))", "2*s0 - 1", 13},
      {"Mul(Symbol('s0'), Symbol('s1'), Integer(3))", "3*s0*s1", 105},
      {"Pow(Symbol('s0', integer=True), Integer(2))", "s0**2", 49},
      {"FloorDiv(Add(Symbol('s0'), Integer(1)), Integer(3))", "((s0 + 1)//3)", 2},
      {"FloorDiv(Mul(Integer(-1), Symbol('s0')), Integer(2))", "(-s0)//2", -4},
      {"PythonMod(Symbol('s0'), Integer(4))", "s0 % 4", 3},
      {"Mod(Symbol('s0'), Symbol('s1'))", "Mod(s0, s1)", 2},
      {"Max(Integer(1), Symbol('s0'), Symbol('s1'))", "Max(1, s0, s1)", 7},
      {"Min(Symbol('s0'), Symbol('s1'))", "Min(s0, s1)", 5},
      {"floor(Mul(Rational(1, 2), Symbol('s0')))", "floor(s0/2)", 3},
      {"ceiling(Mul(Rational(1, 2), Symbol('s0')))", "ceiling(s0/2)", 4},
      {"CeilDiv(Symbol('s0'), Integer(2))", "(s0 + 1)//2", 4},
      {"Mul(Integer(4), Mul(Rational(1, 2), Symbol('s0')))", "4*(s0/2)", 14},
      {"Add(Mul(Rational(1, 2), Symbol('s0')), Rational(1, 2))", "s0/2 + 1/2", 4},
      {"Mul(Symbol('s0'), Pow(Integer(7), Integer(-1)))", "s0/7", 1},
      {"ModularIndexing(Symbol('s0'), Integer(2), Integer(2))", "((s0//2) % 2)", 1},
      {"LShift(Symbol('s0'), Integer(3))", "8*s0", 56},
      {"Integer(9223372036854775807)", "9223372036854775807", INT64_MAX},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(value(test.repr), test.value) << test.repr;
    EXPECT_EQ(value(test.text), test.value) << test.text;
    EXPECT_TRUE(*parse_expression(test.repr) == *parse_expression(test.text)) << test.repr;
  }
}

TEST(ExpressionParser, KeepsWhatItDoesNotKnowApart) {
  const auto dim = [](const char* text) { return *parse_expression(text); };
  EXPECT_TRUE(dim("OpaqueUnaryFn_sqrt(s0)") == dim("OpaqueUnaryFn_sqrt(s0)"));
  EXPECT_FALSE(dim("OpaqueUnaryFn_sqrt(s0)") == dim("OpaqueUnaryFn_sqrt(s1)"));
  EXPECT_FALSE(dim("s0/s1").is_known());
  EXPECT_FALSE(dim("s0 // 0").is_known());
  for (const char* text :
       {"LessThan(Symbol('s0'), Integer(2))", "And(Eq(s0, 1), Ne(s1, 2))", "(s0 > 1) & (s1 < 3)",
        "Float('0.5', precision=53)", "Piecewise(ExprCondPair(s0, s1 > 2), ExprCondPair(1, true))",
        "~(s0 == 1)", "int_oo", "0.5*s0", "-oo"}) {
    EXPECT_TRUE(parse_expression(text).ok()) << text;
  }
}

TEST(ExpressionParser, RefusesBrokenText) {
  for (const char* text : {"", "s0 +", "Add(", "Add(s0", "(s0", "Symbol(s0)", "Symbol('", "s0 s1",
                           "Integer(99999999999999999999)", ")", "'"}) {
    EXPECT_FALSE(parse_expression(text).ok()) << text;
  }
  EXPECT_FALSE(parse_expression(std::string(100000, '(')).ok());
  EXPECT_FALSE(parse_expression(std::string(100000, '-')).ok());
}

TEST(ExpressionParser, BoundsExpansion) {
  std::string product = "1";
  for (int i = 0; i < 60; ++i) {
    product += "*(a" + std::to_string(i) + " + b" + std::to_string(i) + ")";
  }
  EXPECT_TRUE(parse_expression(product).ok());
  EXPECT_TRUE(parse_expression("((((s0 + s1)**60)**60)**60)**60").ok());
  std::string nested = "s0";
  for (int i = 0; i < 60; ++i) {
    nested = "CeilDiv(1, " + nested + ")";
  }
  EXPECT_TRUE(parse_expression(nested).ok());
}

}  // namespace
}  // namespace cresset::frontend
