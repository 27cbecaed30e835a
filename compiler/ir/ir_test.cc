// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "compiler/ir/dim.h"
#include "compiler/ir/graph.h"
#include "compiler/ir/infer.h"
#include "ops/op.h"

namespace cresset::ir {
namespace {

TEST(Dim, NormalFormDecidesEquality) {
  const Dim s = Dim::symbol("s0"), t = Dim::symbol("s1");
  EXPECT_EQ((s + t) * (s - t), s * s - t * t);
  EXPECT_EQ(s - s, Dim(0));
  EXPECT_EQ((s * 2 + 4).text(), "2*s0 + 4");
  EXPECT_EQ(floor_div(s * 6 + 3, 3), s * 2 + 1);
  EXPECT_EQ(floor_div(s, 2).text(), "floordiv(s0, 2)");
  EXPECT_EQ(mod(s * 4, 2), Dim(0));
  EXPECT_FALSE(s == t);
}

TEST(Dim, EvaluatesAndBounds) {
  const Dim s = Dim::symbol("s0");
  const Dim e = floor_div(s - 1, 2) + 1;
  EXPECT_EQ(e.evaluate({{"s0", 7}}), 4);
  EXPECT_FALSE(e.evaluate({}).has_value());
  const Range r = e.bounds({{"s0", {2, 9}}});
  EXPECT_EQ(r.min, 1);
  EXPECT_EQ(r.max, 5);
  EXPECT_EQ((s * 2).bounds({}).max, INT64_MAX);
  EXPECT_EQ(e.substitute({{"s0", Dim(9)}}), Dim(5));
}

TEST(Graph, KeepsUsersAndReplacesUses) {
  Graph graph;
  Value* x = graph.add_input("x", Type::of({DType::kFloat32, {Dim::symbol("s0"), 3}, {}}));
  Value* w = graph.add_constant(make_scalar_constant("w", DType::kFloat32, Scalar::of_double(2)));
  Expected<Node*> add = build(graph, ops::Op::add_tensor, {x, w}, nullptr, nullptr);
  ASSERT_TRUE(add.ok()) << add.error().text;
  EXPECT_EQ(sizes_text((*add)->result()->sizes()), "[s0, 3]");
  EXPECT_EQ((*add)->arg("alpha").integer(), 1);
  Expected<Node*> mul =
      build(graph, ops::Op::mul_tensor, {(*add)->result(), (*add)->result()}, nullptr, nullptr);
  ASSERT_TRUE(mul.ok());
  graph.outputs = {(*mul)->result()};
  EXPECT_EQ((*add)->result()->users().size(), 2u);
  graph.replace_uses((*add)->result(), x);
  EXPECT_EQ(x->users().size(), 3u);
  graph.erase(*add);
  EXPECT_EQ(x->users().size(), 2u);
  EXPECT_EQ(graph.nodes().size(), 1u);
  EXPECT_TRUE(graph.is_used((*mul)->result()));
}

TEST(Infer, RefusesShapesThatDoNotFit) {
  Graph graph;
  Value* x = graph.add_input("x", Type::of({DType::kFloat32, {2, 3}, {}}));
  Value* y = graph.add_input("y", Type::of({DType::kFloat32, {4}, {}}));
  const Expected<Node*> add = build(graph, ops::Op::add_tensor, {x, y}, nullptr, nullptr);
  ASSERT_FALSE(add.ok());
  EXPECT_EQ(add.error().text, "aten::add: sizes 3 and 4 at dimension 1 do not broadcast");
}

}  // namespace
}  // namespace cresset::ir
