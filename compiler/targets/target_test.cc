// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/targets/target.h"

#include <gtest/gtest.h>

#include "ops/op.h"

namespace cresset::targets {
namespace {

TEST(Target, KnownByName) {
  ASSERT_TRUE(find_target("host").ok());
  const ir::Expected<Target> executorch = find_target("executorch");
  ASSERT_TRUE(executorch.ok());
  EXPECT_FALSE(executorch->in_place);
  EXPECT_GT(executorch->rows.size(), 150u);
  const ir::Expected<Target> unknown = find_target("toaster");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().text, "unknown target 'toaster'; known: executorch, host");
}

TEST(Target, ExecutorchHasOnlyItsOwnRows) {
  const ir::Expected<Target> target = find_target("executorch");
  ir::Graph graph;
  ir::Value* x = graph.add_input("x", ir::Type::of({DType::kFloat32, {2}, {}}));
  const ir::Node* relu = graph.add_node(ops::Op::relu, {x}, {x->type});
  const ir::Node* silu = graph.add_node(ops::Op::silu, {x}, {x->type});
  EXPECT_TRUE(has_kernel(*target, {}, *relu));
  EXPECT_FALSE(has_kernel(*target, {}, *silu));
}

TEST(Target, ExecutorchTakesChannelsLastInFewRows) {
  const ir::Expected<Target> host = find_target("host");
  const ir::Expected<Target> executorch = find_target("executorch");
  ir::Graph graph;
  ir::Value* x = graph.add_input("x", ir::Type::of({DType::kFloat32, {1, 2, 3, 4}, {0, 2, 3, 1}}));
  const ir::Node* relu = graph.add_node(ops::Op::relu, {x}, {x->type});
  const ir::Node* flip = graph.add_node(ops::Op::flip, {x}, {x->type});
  EXPECT_TRUE(takes_any_order(*executorch, *relu));
  EXPECT_FALSE(takes_any_order(*executorch, *flip));
  EXPECT_TRUE(takes_any_order(*host, *flip));
}

}  // namespace
}  // namespace cresset::targets
