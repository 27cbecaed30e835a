// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/partitioner/supported.h"

#include <gtest/gtest.h>

#include "compiler/ir/parse.h"

namespace cresset::partitioner {
namespace {

using ops::Op;

const std::vector<SupportedOp> kRows = {
    {Op::add_tensor, {"self: f32 | f16", "other: f32 | f16", "alpha", "all: same dtype"}},
    {Op::conv2d,
     {"input: f32, rank 4", "weight: f32, constant", "bias: f32", "stride: 1 | 2", "padding: 0..3",
      "dilation: 1", "groups: 1.."}},
    {Op::gelu, {"self: f32", "approximate: 'tanh'"}},
    {Op::mul_tensor, {"self: f32", "other: f32", "all: same sizes"}},
    {Op::add_scalar, {"self: i32", "other", "result: f32"}},
    {Op::cat, {"tensors: f32, rank 1..2"}},
    {Op::clamp, {"self: f32", "min: -inf..inf"}},
    {Op::conv2d_padding, {"input: f32", "weight: f32", "padding: 'same' | 'valid'"}},
};

// Why the last node of a graph is refused.
std::string refusal(const std::string& nodes) {
  const auto graph = ir::parse_graph(
      "graph forward(%x: f32[1, 4, 8, 8], %w: f32[4, 4, 3, 3], %h: f16[4], %v: f32[4], %i: i32[4],"
      " %n: int(s0)) {\n s0 in [1, 4]\n %k = constant \"k\" fill(1) : f32[4, 4, 3, 3]\n"
      " %s = buffer \"s\" : f32[4, 4, 3, 3]\n" +
      nodes + "\n return %y\n}");
  EXPECT_TRUE(graph.ok()) << graph.error().text;
  const auto table = SupportTable::read(kRows);
  EXPECT_TRUE(table.ok()) << table.error().text;
  return graph.ok() ? table->refusal(*(*graph)->nodes().back(), "b") : "no graph";
}

std::string fault(Op op, std::vector<std::string> claims) {
  const std::vector<SupportedOp> rows = {{op, std::move(claims)}};
  return SupportTable::read(rows).error().text;
}

TEST(Supported, TakesWhatItsRowSays) {
  EXPECT_EQ(refusal("%y = add_tensor(%v, %v, 2.5)"), "");
  EXPECT_EQ(refusal("%y = conv2d(%x, %k, None, [2, 2], [1, 3]) : f32[1, 4, 4, 6]"), "");
  EXPECT_EQ(refusal("%y = conv2d(%x, %s) : f32[1, 4, 6, 6]"), "");  // nobody writes the buffer
  EXPECT_EQ(refusal("%y = gelu(%v, approximate=\"tanh\")"), "");
  EXPECT_EQ(refusal("%y = clamp(%v, -1)"), "");
  EXPECT_EQ(refusal("%y = cat([%v, %v])"), "");
}

TEST(Supported, AnUnlistedArgumentMustHaveItsDefault) {
  EXPECT_EQ(refusal("%y = clamp(%v, 0, 6)"),
            "max 6 not supported by b (takes the default None only)");
  EXPECT_EQ(refusal("%y = cat([%v, %v], -1)"),
            "dim -1 not supported by b (takes the default 0 only)");
  EXPECT_EQ(refusal("%y = conv2d_padding(%x, %w, %v) : f32[1, 4, 6, 6]"),
            "bias v not supported by b (takes the default None only)");
  // A default may be written out, or as a list of equal numbers.
  EXPECT_EQ(refusal("%y = cat([%v, %v], 0)"), "");
  EXPECT_EQ(refusal("%y = conv2d_padding(%x, %w, None, [1, 1], \"same\") : f32[1, 4, 8, 8]"), "");
  EXPECT_EQ(refusal("%y = conv2d_padding(%x, %w, None, [1, 2], \"same\") : f32[1, 4, 8, 8]"),
            "stride [1, 2] not supported by b (takes the default [1, 1] only)");
}

TEST(Supported, SaysWhichConditionFails) {
  EXPECT_EQ(refusal("%y = relu(%v)"), "operator not supported by b");
  EXPECT_EQ(refusal("%y = conv2d(%x, %k, None, [1, 1], [0, 0], [2, 2]) : f32[1, 4, 4, 4]"),
            "dilation [2, 2] not supported by b (takes 1)");
  EXPECT_EQ(refusal("%y = conv2d(%x, %k, None, [3, 1]) : f32[1, 4, 2, 6]"),
            "stride [3, 1] not supported by b (takes 1 | 2)");
  EXPECT_EQ(refusal("%y = conv2d(%x, %k, None, [1, 1], [4, 0]) : f32[1, 4, 14, 6]"),
            "padding [4, 0] not supported by b (takes 0..3)");
  EXPECT_EQ(refusal("%y = conv2d(%x, %w) : f32[1, 4, 6, 6]"),
            "weight computed at run time not supported by b (takes constants only)");
  EXPECT_EQ(refusal("%y = gelu(%v)"), "approximate 'none' not supported by b (takes 'tanh')");
  EXPECT_EQ(refusal("%y = gelu(%h, approximate=\"tanh\")"),
            "self f16 not supported by b (takes f32)");
  EXPECT_EQ(refusal("%y = cat([%x, %x])"),
            "tensors of rank 4 not supported by b (takes f32, rank 1..2)");
  EXPECT_EQ(refusal("%y = add_tensor(%v, %h)"), "dtypes that differ not supported by b");
  EXPECT_EQ(refusal("%y = mul_tensor(%x, %k) : f32[4, 4, 8, 8]"),
            "broadcasting not supported by b");
  EXPECT_EQ(refusal("%y = add_scalar(%i, 1)"), "result i32 not supported by b (takes f32)");
  EXPECT_EQ(refusal("%y = add_scalar(%i, %n)"), "other computed at run time not supported by b");
}

TEST(Supported, RefusesTextsThatMeanNothing) {
  EXPECT_EQ(fault(Op::relu, {"self: f32"}), "");
  EXPECT_EQ(fault(Op::relu, {"x: f32"}), "SUPPORTED(relu): aten::relu has no argument 'x'");
  EXPECT_EQ(fault(Op::relu, {"self"}), "SUPPORTED(relu): tensor 'self' needs dtypes");
  EXPECT_EQ(fault(Op::relu, {"self: f31"}), "SUPPORTED(relu): 'f31' is no condition");
  EXPECT_EQ(fault(Op::relu, {"self: f32, rank x"}), "SUPPORTED(relu): 'rank x' is no condition");
  EXPECT_EQ(fault(Op::relu, {"self: f32, rank 4..1"}),
            "SUPPORTED(relu): 'rank 4..1' is no condition");
  EXPECT_EQ(fault(Op::relu, {"self: f32", "self: f16"}),
            "SUPPORTED(relu): argument 'self' is named twice");
  EXPECT_EQ(fault(Op::relu, {}),
            "SUPPORTED(relu): argument 'self' has no default and must be named");
  EXPECT_EQ(fault(Op::relu, {"self: f32", "all: f32"}),
            "SUPPORTED(relu): 'f32' is no condition on all arguments");
  EXPECT_EQ(fault(Op::relu, {"self: f32", "result: rank 2"}),
            "SUPPORTED(relu): a result has dtypes only");
  const std::vector<SupportedOp> twice = {{Op::relu, {"self: f32"}}, {Op::relu, {"self: f16"}}};
  EXPECT_EQ(SupportTable::read(twice).error().text, "SUPPORTED(relu) stands twice");
}

}  // namespace
}  // namespace cresset::partitioner
