// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

// From a graph to numbers: linearize, plan_memory, the emitter, and the runtime on the portable
// kernels.

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/emitter/emitter.h"
#include "compiler/ir/infer.h"
#include "compiler/passes/linearize.h"
#include "compiler/passes/plan_memory.h"
#include "extensions/module/module.h"
#include "kernels/registry.h"
#include "ops/op.h"

namespace cresset::passes {
namespace {

using ir::Argument;
using ir::Graph;
using ir::Node;
using ir::Type;
using ops::Op;

const ops::KernelTable kTables[] = {kernels::portable_kernels()};

Type f32(std::vector<ir::Dim> sizes) { return Type::of({DType::kFloat32, std::move(sizes), {}}); }

ir::Value* add(Graph* graph, Op op, std::vector<Argument> args) {
  ir::Expected<Node*> node = ir::build(*graph, op, std::move(args), nullptr, nullptr);
  EXPECT_TRUE(node.ok()) << node.error().text;
  return (*node)->result();
}

data::HostValue tensor(std::vector<int32_t> sizes, const std::vector<float>& elements) {
  data::HostTensor result(DType::kFloat32, std::move(sizes));
  std::memcpy(result.mutable_data<float>(), elements.data(), elements.size() * sizeof(float));
  return {std::move(result)};
}

data::HostValue truth(bool value) {
  data::HostTensor result(DType::kBool, {});
  *result.mutable_data<bool>() = value;
  return {std::move(result)};
}

std::vector<float> floats(const data::HostValue& value) {
  const data::HostTensor& t = *value.get<data::HostTensor>();
  return {t.data<float>(), t.data<float>() + t.numel()};
}

struct Compiled {
  ir::Schedule schedule;
  std::unique_ptr<Module> module;
};

Compiled compile(const Graph& graph, LinearizeOptions options = {}) {
  Compiled result;
  ir::Expected<ir::Schedule> schedule = linearize(graph, options);
  EXPECT_TRUE(schedule.ok()) << schedule.error().text;
  const ir::Error planned = plan_memory(&*schedule, kTables);
  EXPECT_TRUE(planned.ok()) << planned.text;
  const ir::Expected<emitter::EmittedFiles> files = emitter::emit({*schedule}, {});
  EXPECT_TRUE(files.ok());
  ModuleOptions module_options;
  module_options.kernels = {kernels::portable_kernels()};
  Expected<std::unique_ptr<Module>> module = Module::from_bytes(
      data::FileBytes::own(std::string(files->program.begin(), files->program.end())), "test",
      module_options);
  EXPECT_TRUE(module.ok()) << module.error().text;
  result.schedule = std::move(*schedule);
  if (module.ok()) {
    result.module = *std::move(module);
  }
  return result;
}

std::vector<std::vector<float>> run(Compiled* compiled,
                                    const std::vector<data::HostValue>& inputs) {
  std::vector<std::vector<float>> results;
  Expected<std::vector<data::HostValue>> outputs = compiled->module->forward(inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.error().text;
  if (outputs.ok()) {
    for (const data::HostValue& output : *outputs) {
      results.push_back(floats(output));
    }
  }
  return results;
}

using Rows = std::vector<std::vector<float>>;

TEST(Schedule, ChainsShareTheirInputsMemory) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({2, 3}));
  ir::Value* y = add(&graph, Op::mul_scalar, {x, 2.0});
  graph.outputs = {add(&graph, Op::relu, {add(&graph, Op::add_scalar, {y, 1.0})})};
  Compiled compiled = compile(graph);
  EXPECT_EQ(compiled.schedule.arena_bytes[0], 32u);  // 24 bytes, rounded up to 16
  EXPECT_EQ(run(&compiled, {tensor({2, 3}, {-2, -1, 0, 1, 2, 3})}), (Rows{{0, 0, 1, 3, 5, 7}}));
  LinearizeOptions apart;
  apart.in_place = false;
  Compiled separate = compile(graph, apart);
  EXPECT_EQ(separate.schedule.arena_bytes[0], 64u);
  EXPECT_EQ(run(&separate, {tensor({2, 3}, {-2, -1, 0, 1, 2, 3})}), (Rows{{0, 0, 1, 3, 5, 7}}));
}

TEST(Schedule, DynamicSizesRunWithinTheirBounds) {
  Graph graph;
  const ir::Dim s = ir::Dim::symbol("s0");
  graph.ranges["s0"] = {1, 4};
  ir::Value* x = graph.add_input("x", f32({s, 2}));
  ir::Value* v = add(&graph, Op::view_copy, {x, Argument::ints({-1})});
  v->type.tensor.sizes = {s * 2};
  graph.outputs = {add(&graph, Op::mul_scalar, {v, 3.0})};
  Compiled compiled = compile(graph);
  EXPECT_EQ(run(&compiled, {tensor({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}),
            (Rows{{3, 6, 9, 12, 15, 18, 21, 24}}));
  EXPECT_EQ(run(&compiled, {tensor({1, 2}, {1, 2})}), (Rows{{3, 6}}));
  const Expected<std::vector<data::HostValue>> too_large =
      compiled.module->forward({tensor({5, 2}, std::vector<float>(10))});
  EXPECT_FALSE(too_large.ok());
  EXPECT_EQ(run(&compiled, {tensor({1, 2}, {1, 2})}), (Rows{{3, 6}}));
}

TEST(Schedule, UnboundedSizesAreRefusedWithTheRemedy) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({ir::Dim::symbol("s7"), 2}));
  graph.outputs = {x};
  const ir::Expected<ir::Schedule> schedule = linearize(graph, {});
  ASSERT_FALSE(schedule.ok());
  EXPECT_NE(schedule.error().text.find("--max s7=N"), std::string::npos) << schedule.error().text;
}

TEST(Schedule, StateIsUpdatedInPlaceAndKept) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({2}));
  const float ones[] = {1, 1};
  ir::Value* state = graph.add_buffer(
      "state", ir::make_constant("state", {DType::kFloat32, {2}, {}}, ones, sizeof(ones)));
  ir::Value* next = add(&graph, Op::add_tensor, {state, x});
  graph.buffers[0].update = next;
  graph.outputs = {next};
  Compiled compiled = compile(graph);
  EXPECT_EQ(compiled.schedule.steps.size(),
            2u);  // the sum, in the state's memory, and the output's copy
  EXPECT_EQ(run(&compiled, {tensor({2}, {1, 2})}), (Rows{{2, 3}}));
  EXPECT_EQ(run(&compiled, {tensor({2}, {1, 2})}), (Rows{{3, 5}}));
}

TEST(Schedule, OldStateAsOutputIsNotTheNewOne) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({2}));
  const float ones[] = {1, 1};
  ir::Value* state = graph.add_buffer(
      "state", ir::make_constant("state", {DType::kFloat32, {2}, {}}, ones, sizeof(ones)));
  graph.buffers[0].update = add(&graph, Op::add_tensor, {state, x});
  graph.outputs = {state};
  Compiled compiled = compile(graph);
  EXPECT_EQ(run(&compiled, {tensor({2}, {1, 2})}), (Rows{{1, 1}}));
  EXPECT_EQ(run(&compiled, {tensor({2}, {1, 2})}), (Rows{{2, 3}}));
}

// cond(p, x * 2, x) nested in a second cond on the same predicate.
TEST(Schedule, BranchesBecomeJumps) {
  Graph graph;
  ir::Value* p = graph.add_input("p", Type::of({DType::kBool, {}, {}}));
  ir::Value* x = graph.add_input("x", f32({2}));
  auto doubled = std::make_shared<Graph>();
  doubled->outputs = {add(doubled.get(), Op::mul_scalar, {doubled->add_input("x", f32({2})), 2.0})};
  auto same = std::make_shared<Graph>();
  same->outputs = {same->add_input("x", f32({2}))};
  Node* cond = graph.add_node(
      Op::hop_cond, {p, Argument(doubled), Argument(same), Argument::values({x})}, {f32({2})});
  ir::Value* sum = add(&graph, Op::add_tensor, {cond->result(), x});
  graph.outputs = {cond->result(), sum};
  Compiled compiled = compile(graph);
  EXPECT_EQ(run(&compiled, {truth(true), tensor({2}, {1, 2})}), (Rows{{2, 4}, {3, 6}}));
  EXPECT_EQ(run(&compiled, {truth(false), tensor({2}, {1, 2})}), (Rows{{1, 2}, {2, 4}}));
  EXPECT_EQ(run(&compiled, {truth(true), tensor({2}, {5, 0})}), (Rows{{10, 0}, {15, 0}}));
}

// Running sums: carry' = carry + x[i]; y[i] = carry' * 10.
TEST(Schedule, ScansBecomeLoops) {
  Graph graph;
  ir::Value* init = graph.add_input("init", f32({2}));
  ir::Value* xs = graph.add_input("xs", f32({3, 2}));
  auto body = std::make_shared<Graph>();
  ir::Value* carry = body->add_input("carry", f32({2}));
  ir::Value* x = body->add_input("x", f32({2}));
  ir::Value* next = add(body.get(), Op::add_tensor, {carry, x});
  body->outputs = {next, add(body.get(), Op::mul_scalar, {next, 10.0})};
  Node* scan = graph.add_node(
      Op::hop_scan,
      {Argument(body), Argument::values({init}), Argument::values({xs}), Argument::values({})},
      {f32({2}), f32({3, 2})});
  graph.outputs = {scan->result(0), scan->result(1)};
  Compiled compiled = compile(graph);
  const Rows expected = {{10, 13}, {20, 30, 50, 70, 100, 130}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run(&compiled, {tensor({2}, {1, 1}), tensor({3, 2}, {1, 2, 3, 4, 5, 6})}), expected);
  }
}

// while (x.sum() < 20) x = x * 2
TEST(Schedule, WhileLoopsRepeat) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({2}));
  auto condition = std::make_shared<Graph>();
  ir::Value* c = condition->add_input("x", f32({2}));
  condition->outputs = {
      add(condition.get(), Op::lt_scalar,
          {add(condition.get(), Op::sum_dim_intlist, {c, Argument::ints({0})}), 20.0})};
  auto body = std::make_shared<Graph>();
  body->outputs = {add(body.get(), Op::mul_scalar, {body->add_input("x", f32({2})), 2.0})};
  Node* loop = graph.add_node(
      Op::hop_while_loop,
      {Argument(condition), Argument(body), Argument::values({x}), Argument::values({})},
      {f32({2})});
  graph.outputs = {loop->result()};
  Compiled compiled = compile(graph);
  EXPECT_EQ(run(&compiled, {tensor({2}, {1, 2})}), (Rows{{8, 16}}));
  EXPECT_EQ(run(&compiled, {tensor({2}, {10, 20})}), (Rows{{10, 20}}));
}

TEST(Emitter, SameGraphSameBytes) {
  Graph graph;
  graph.outputs = {add(&graph, Op::relu, {graph.add_input("x", f32({2, 3}))})};
  std::vector<uint8_t> first;
  for (int i = 0; i < 2; ++i) {
    ir::Expected<ir::Schedule> schedule = linearize(graph, {});
    ASSERT_TRUE(schedule.ok());
    ASSERT_TRUE(plan_memory(&*schedule, kTables).ok());
    const ir::Expected<emitter::EmittedFiles> files = emitter::emit({*schedule}, {});
    ASSERT_TRUE(files.ok());
    if (i == 0) {
      first = files->program;
    }
    EXPECT_EQ(files->program, first);
  }
}

}  // namespace
}  // namespace cresset::passes
