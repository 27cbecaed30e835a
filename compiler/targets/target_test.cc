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
  EXPECT_EQ(why_not(*target, {}, *relu), "");
  EXPECT_EQ(why_not(*target, {}, *silu), "no kernel for float32");
}

TEST(Target, ExecutorchRefusesWhatItsKernelsRefuse) {
  const ir::Expected<Target> target = find_target("executorch");
  ir::Graph graph;
  const auto why = [&](ops::Op op, DType dtype, size_t rank) {
    const ir::Type type = ir::Type::of({dtype, std::vector<ir::Dim>(rank, 2), {}});
    ir::Value* x = graph.add_input("x", type);
    return why_not(*target, {}, *graph.add_node(op, {x}, {type}));
  };
  EXPECT_EQ(why(ops::Op::convolution, DType::kFloat32, 3), "");
  EXPECT_EQ(why(ops::Op::convolution, DType::kFloat32, 4), "");
  EXPECT_EQ(why(ops::Op::convolution, DType::kFloat32, 5),
            "the kernel of target executorch takes tensors of 3 to 4 dimensions, not 5");
  EXPECT_EQ(why(ops::Op::exp, DType::kInt64, 2), "");
  EXPECT_EQ(why(ops::Op::exp, DType::kUInt32, 2),
            "the kernel of target executorch does not take uint32");
  EXPECT_EQ(why(ops::Op::view_copy, DType::kUInt32, 2), "");
  EXPECT_EQ(why(ops::Op::gelu, DType::kBFloat16, 2), "");
  EXPECT_NE(why(ops::Op::gelu, DType::kInt32, 2), "");
  EXPECT_NE(why(ops::Op::relu, DType::kBool, 2), "");
  EXPECT_EQ(why(ops::Op::bitwise_not, DType::kBool, 2), "");
  EXPECT_NE(why(ops::Op::bitwise_not, DType::kFloat32, 2), "");
  EXPECT_EQ(why(ops::Op::mul_tensor, DType::kComplex64, 2), "");
  EXPECT_NE(why(ops::Op::exp, DType::kComplex64, 2), "");
}

TEST(Target, OneComplexTensorMakesANodeComplex) {
  const ir::Expected<Target> executorch = find_target("executorch");
  ir::Graph graph;
  ir::Value* mask = graph.add_input("mask", ir::Type::of({DType::kBool, {2}, {}}));
  ir::Value* z = graph.add_input("z", ir::Type::of({DType::kComplex64, {2}, {}}));
  EXPECT_EQ(why_not(*executorch, {}, *graph.add_node(ops::Op::where_self, {mask, z, z}, {z->type})),
            "the kernel of target executorch does not take complex64");
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
