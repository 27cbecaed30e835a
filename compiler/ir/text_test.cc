// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/ir/parse.h"
#include "compiler/ir/print.h"

namespace cresset::ir {
namespace {

// Everything that the text form has.
constexpr const char* kFull =
    R"(graph forward(%x "args.0": f32[s0, 3, 8, 8], %n: int(s0 + 1), "scale" = 0.5, %"a b": bool) {
  s0 in [1, 4]
  s1 in [2, inf]
  in_spec "[1, \"x\"]"
  out_spec "[]"
  %w = constant "conv.weight" fill(0.5) : f32[16, 3, 3, 3]
  %c = constant "c" [1, -2, 3] : i64[3]
  %h = constant "h" [0.1, -inf, nan, 1e-05] : f32[2, 2] order [1, 0]
  %count = buffer "count" [0] : i64[]
  %cache = buffer "cache" = "initial" [true, false] : bool[2]
  %conv = convolution(%x, %w, None, [1, 1], [1, 1], [1, 1], false, [0, 0], 1) : f32[s0, 16, 8, 8] order [0, 2, 3, 1] @3  // "model.py:12, in forward: x = \"y\"" in "features.0"
  %values, %indices = max_dim(%conv, 1) : (f32[s0, 8, 8], i64[s0, 8, 8]) @4
  %y = relu!(%values) : f32[s0, 8, 8]
  %size = sym_size_int(%y, 0) : int(s0)
  %z = add_tensor(%y, %y, alpha=2) : f32[s0, 8, 8]
  %cast = _to_copy(%z, dtype=f16, memory_format=1) : f16[s0, 8, 8]
  %cond = hop_cond(%"a b", graph yes(%a: f32[floordiv(s0, 2)]) {
      %b = neg(%a) : f32[floordiv(s0, 2)]
      return %b
    }, graph no(%a: f32[floordiv(s0, 2)]) {
      return %a
    }, [%z]) : f32[floordiv(s0, 2)]
  update %x = %y
  update %count = %c
  return "out": %cond, "n": 3, "nothing": None, "size": %size
}
)";

PrintOptions everything() {
  PrintOptions options;
  options.specs = true;
  return options;
}

TEST(Text, RoundTrips) {
  const auto graph = parse_graph(kFull);
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(print(**graph, everything()), kFull);
  const Graph& g = **graph;
  EXPECT_EQ(g.inputs[0].name, "args.0");
  EXPECT_EQ(g.inputs[2].specialised.number(), 0.5);
  EXPECT_EQ(g.inputs[0].update->name, "y");
  EXPECT_EQ(g.buffers[0].update->name, "c");
  const Node& conv = *g.nodes().front();
  EXPECT_EQ(conv.debug_handle, 3u);
  EXPECT_EQ(conv.source.line, "model.py:12, in forward: x = \"y\"");
  EXPECT_EQ(conv.result()->users().size(), 1u);
  EXPECT_EQ(conv.result()->tensor().dim_order, (std::vector<uint8_t>{0, 2, 3, 1}));
}

TEST(Text, LeavesOutWhatWasNotAskedFor) {
  const auto graph = parse_graph(kFull);
  ASSERT_TRUE(graph.ok());
  PrintOptions options;
  options.handles = options.sources = false;
  const std::string text = print(**graph, options);
  EXPECT_EQ(text.find('@'), std::string::npos);
  EXPECT_EQ(text.find("//"), std::string::npos);
  EXPECT_EQ(text.find("spec"), std::string::npos);
}

TEST(Text, InfersTypesAndFillsDefaults) {
  const auto graph = parse_graph(R"(
    // a comment
    graph forward(%x: f32[s0, 3]) {
      %y = add_tensor(%x, %x)  // another
      %z = mul_tensor(other=%y, self=%x)
      return %z
    })");
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(print((*graph)->outputs[0].value()->type), "f32[s0, 3]");
  EXPECT_EQ((*graph)->nodes().front()->arg("alpha").integer(), 1);
  EXPECT_EQ((*graph)->nodes().back()->arg("other").value()->name, "y");
}

TEST(Text, StandsInForLargeData) {
  constexpr const char* kText = R"(graph forward() {
  %w = constant "w" : f32[100]
  return %w
})";
  const auto first = parse_graph(kText);
  const auto second = parse_graph(kText);
  ASSERT_TRUE(first.ok() && second.ok());
  const Constant& a = *(*first)->outputs[0].value()->constant();
  const Constant& b = *(*second)->outputs[0].value()->constant();
  EXPECT_EQ(a.size_bytes, 400u);
  EXPECT_EQ(std::memcmp(a.bytes, b.bytes, 400), 0);
  EXPECT_NE(std::memcmp(a.bytes, a.bytes + 4, 396), 0);
  const std::string text = print(**first);
  EXPECT_NE(text.find("digest("), std::string::npos);
  EXPECT_TRUE(parse_graph(text).ok());
}

TEST(Text, KeepsEveryDtypeAndExtremes) {
  for (const DType dtype :
       {DType::kUInt8, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64, DType::kFloat16,
        DType::kFloat32, DType::kFloat64, DType::kBool, DType::kBFloat16, DType::kUInt16,
        DType::kUInt32, DType::kUInt64}) {
    const auto constant = constant_pattern("c", {dtype, {5, 13}, {}}, 3);
    ASSERT_TRUE(constant.ok()) << dtype_text(dtype);
    Graph graph;
    graph.outputs = {graph.add_constant(*constant)};
    PrintOptions options;
    options.inline_elements = 100;
    const auto again = parse_graph(print(graph, options));
    ASSERT_TRUE(again.ok()) << again.error().text;
    const Constant& b = *(*again)->outputs[0].value()->constant();
    ASSERT_EQ(b.size_bytes, (*constant)->size_bytes);
    EXPECT_EQ(std::memcmp((*constant)->bytes, b.bytes, b.size_bytes), 0) << dtype_text(dtype);
  }
  for (const double value :
       {0.1, -0.0, 1e300, 5e-324, 3.0, 1e22, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(std::signbit(std::strtod(number_text(value).c_str(), nullptr)), std::signbit(value));
    EXPECT_EQ(std::strtod(number_text(value).c_str(), nullptr), value);
    EXPECT_NE(number_text(value).find_first_of(".eni"), std::string::npos);
  }
}

TEST(ParseDim, ReadsWhatDimsPrint) {
  const Dim s = Dim::symbol("s0"), t = Dim::symbol("u1");
  for (const Dim& dim : {Dim(0), Dim(-3), s, s * 2 + 1, s * s * t - t * 3 - 5, floor_div(s - 1, 2),
                         max(s, t + 1) * mod(s, 3), floor_div(s, t) * -1,
                         Dim::unknown("rows of nonzero(x)") + 1, Dim::unknown("")}) {
    const auto parsed = parse_dim(dim.text());
    ASSERT_TRUE(parsed.ok()) << dim.text() << ": " << parsed.error().text;
    EXPECT_EQ(*parsed, dim) << dim.text();
  }
  EXPECT_EQ(*parse_dim("(s0 + 1)*2 - s0"), s + 2);
  for (const char* bad : {"", "s0 +", "floordiv(s0)", "gcd(s0, 2)", "2 s0", "(s0"}) {
    EXPECT_FALSE(parse_dim(bad).ok()) << bad;
  }
}

TEST(Parse, SaysLineAndExpectation) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"", "line 1: expected 'graph', found the end"},
      {"graph f() {\n  return %x\n}", "line 2: the value is not defined before this, found '%x'"},
      {"graph f(%x: f32[2], %x: f32[2]) { return }",
       "line 1: %x is defined twice; before this, found ')'"},
      {"graph f(%x: f33[2]) { return }", "line 1: expected a type, found 'f33'"},
      {"graph f(%x: f32[2] order [0, 1]) { return }",
       "line 1: the order before this is no permutation of the dimensions, found ')'"},
      {"graph f(%x: f32[2]) {\n\n  %y = relux(%x)\n  return }",
       "line 3: no operator is called 'relux'"},
      {"graph f(%x: f32[2]) {\n  %y = relu() : f32[2] return }",
       "line 2: argument 'self' of relu is missing; before this, found ':'"},
      {"graph f(%x: f32[2]) {\n  %y = relu(%x, 1) : f32[2] return }",
       "line 2: relu has too many arguments; before this, found ')'"},
      {"graph f(%x: f32[2]) {\n  %y = relu(%x, dim=1) : f32[2] return }",
       "line 2: relu has no argument 'dim'; before this, found '1'"},
      {"graph f(%x: f32[2]) {\n  %y, %z = relu(%x) : f32[2] return }",
       "line 2: 2 names for 1 results"},
      {"graph f(%x: f32[2], %y: f32[3]) {\n  %z = add_tensor(%x, %y) return }",
       "line 2: the types do not follow: aten::add: sizes 2 and 3 at dimension 0 do not broadcast"},
      {"graph f() {\n  %c = constant \"c\" [1, 2] : i64[3]\n  return }",
       "line 3: constant 'c' has 2 elements for sizes [3]; before this, found 'return'"},
      {"graph f() {\n  %c = constant \"c\" [300] : u8[1]\n  return }",
       "line 3: element 0 of constant 'c' is no u8; before this, found 'return'"},
      {"graph f(%x: f32[2]) { update %x = %x return } x",
       "line 1: expected the end of the text, found 'x'"},
      {"graph f(%x: f32[2]) {", "line 1: expected a value, an operator or 'return', found the end"},
  };
  for (const auto& c : kCases) {
    const auto graph = parse_graph(c.text);
    ASSERT_FALSE(graph.ok()) << c.text;
    EXPECT_EQ(graph.error().text, c.message);
  }
}

TEST(Parse, SurvivesNonsense) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "[";
  }
  EXPECT_FALSE(parse_graph("graph f() { return " + deep).ok());
  EXPECT_FALSE(parse_dim(std::string(100000, '(')).ok());
  const std::string text = kFull;
  for (size_t cut = 0; cut < text.size(); cut += 7) {
    EXPECT_FALSE(parse_graph(std::string_view(text).substr(0, cut)).ok()) << cut;
  }
}

}  // namespace
}  // namespace cresset::ir
