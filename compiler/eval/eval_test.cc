// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/eval/eval.h"

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/ir/infer.h"
#include "ops/infer_rows.h"
#include "ops/kernel_fn.h"
#include "ops/kernel_table.h"
#include "ops/op.h"

namespace cresset::eval {
namespace {

using ir::Dim;
using ir::Graph;
using ir::Node;
using ir::TensorType;
using ir::Type;
using ops::Op;
using ops::OpId;

// Kernels made for these tests: plain, float32 only, so that nothing hangs on a library.

Status add(KernelContext& context, const Tensor& self, const Tensor& other, Scalar, Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) {
    const float b = other.data<float>()[other.numel() == 1 ? 0 : i];
    out.mutable_data<float>()[i] = self.data<float>()[i] + b;
  }
  return self.numel() == out.numel()
             ? Status::kOk
             : context.fail(Status::kInvalidArgument, "self has {} elements", self.numel());
}

Status lt(KernelContext&, const Tensor& self, Scalar other, Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) {
    out.mutable_data<bool>()[i] = self.data<float>()[i] < other.to_double();
  }
  return Status::kOk;
}

// Leaves its output as it finds it.
Status lazy(KernelContext&, const Tensor&, Tensor&) { return Status::kOk; }

Status nonzero(KernelContext& context, const Tensor& self, Tensor& out) {
  int32_t count = 0;
  for (int64_t i = 0; i < self.numel(); ++i) {
    count += self.data<float>()[i] != 0;
  }
  const int32_t sizes[] = {count, 1};
  if (!ok(out.resize(sizes))) {
    return context.fail(Status::kInvalidArgument, "no room for {} rows", count);
  }
  int64_t* to = out.mutable_data<int64_t>();
  for (int64_t i = 0; i < self.numel(); ++i) {
    if (self.data<float>()[i] != 0) {
      *to++ = i;
    }
  }
  return Status::kOk;
}

Status copy_into(KernelContext&, Tensor& self, const Tensor& src, bool) {
  std::memcpy(self.mutable_raw_data(), src.raw_data(), src.nbytes());
  return Status::kOk;
}

// Uses scratch memory: out = self.
Status through_scratch(KernelContext& context, const Tensor& self, Tensor& out) {
  void* scratch = nullptr;
  CRESSET_TRY(context.scratch(self.nbytes(), &scratch));
  std::memcpy(scratch, self.raw_data(), self.nbytes());
  std::memcpy(out.mutable_raw_data(), scratch, self.nbytes());
  return Status::kOk;
}
size_t through_scratch_bytes(Value* const* args) { return args[0]->as_tensor()->nbytes(); }

Status size_of(KernelContext&, const Tensor& self, int64_t dim, Value& out) {
  out = Value::of_int(self.size(static_cast<size_t>(dim)));
  return Status::kOk;
}

template <OpId id, ops::KernelFn<id>* kernel>
ops::Kernel row(const char* name, const char* out, ops::InferFn infer,
                ops::ScratchFn scratch = nullptr) {
  return {name,
          out,
          ops::Boxed<id, kernel>::call,
          infer,
          scratch,
          ops::Row<id>::kForm.codes,
          ops::Row<id>::kForm.count,
          ops::Row<id>::kForm.out_count,
          0};
}

ops::KernelTables tables() {
  static const ops::Kernel kKernels[] = {
      row<OpId::abs, lazy>("aten::abs", "out", ops::infer_rows::abs),
      row<OpId::add_tensor, add>("aten::add", "out", ops::infer_rows::add_tensor),
      row<OpId::copy_, copy_into>("aten::copy_", "", nullptr),
      row<OpId::floor, through_scratch>("aten::floor", "out", ops::infer_rows::floor,
                                        through_scratch_bytes),
      row<OpId::lt_scalar, lt>("aten::lt", "Scalar_out", ops::infer_rows::lt_scalar),
      row<OpId::nonzero, nonzero>("aten::nonzero", "out", nullptr),
      row<OpId::sym_size_int, size_of>("aten::sym_size", "int", nullptr),
  };
  static const ops::KernelTable kTable(kKernels);
  return {&kTable, 1};
}

Type f32(std::vector<Dim> sizes, std::vector<uint8_t> order = {}) {
  return Type::of(TensorType{DType::kFloat32, std::move(sizes), std::move(order)});
}

ir::ConstantPtr floats(std::vector<Dim> sizes, const std::vector<float>& values) {
  return ir::make_constant("c", TensorType{DType::kFloat32, std::move(sizes), {}}, values.data(),
                           values.size() * sizeof(float));
}

template <class T = float>
std::vector<T> values_of(const Datum& datum) {
  const ir::ConstantPtr& tensor = tensor_of(datum);
  if (tensor == nullptr) {
    return {};
  }
  std::vector<T> values(tensor->size_bytes / sizeof(T));
  std::memcpy(values.data(), tensor->bytes, tensor->size_bytes);
  return values;
}

using Floats = std::vector<float>;

TEST(EvaluateNode, FoldsConstants) {
  Graph graph;
  ir::Value* a = graph.add_constant(floats({2}, {1, 2}));
  ir::Value* b = graph.add_constant(floats({2}, {10, 20}));
  ir::Value* x = graph.add_input("x", f32({2}));
  Node* folds = graph.add_node(Op::add_tensor, {a, b}, {f32({2})});
  Node* waits = graph.add_node(Op::add_tensor, {a, x}, {f32({2})});
  EXPECT_TRUE(can_evaluate(*folds, tables()));
  EXPECT_FALSE(can_evaluate(*waits, tables()));
  const auto results = evaluate_node(*folds, tables());
  ASSERT_TRUE(results.ok()) << results.error().text;
  EXPECT_EQ(values_of((*results)[0]), (Floats{11, 22}));
  EXPECT_EQ(tensor_of((*results)[0])->name, folds->result()->name);
  const auto refused = evaluate_node(*waits, tables());
  EXPECT_FALSE(refused.ok());
}

TEST(EvaluateNode, TakesNumbersInTensorsPlaces) {
  Graph graph;
  ir::Value* a = graph.add_constant(floats({2}, {1, 2}));
  Node* node = graph.add_node(Op::add_tensor, {a, 0.5}, {f32({2})});
  const auto results = evaluate_node(*node, tables());
  ASSERT_TRUE(results.ok()) << results.error().text;
  EXPECT_EQ(values_of((*results)[0]), (Floats{1.5, 2.5}));
}

TEST(EvaluateNode, GivesDataDependentOutputsTheRoomTheyNeed) {
  constexpr int64_t kCount = 100000;  // more than the first guess
  Graph graph;
  ir::Value* a = graph.add_constant(floats({kCount}, Floats(kCount, 1.0f)));
  Node* node =
      graph.add_node(Op::nonzero, {a}, {Type::of({DType::kInt64, {Dim::symbol("u0"), 1}, {}})});
  const auto results = evaluate_node(*node, tables());
  ASSERT_TRUE(results.ok()) << results.error().text;
  const auto indices = values_of<int64_t>((*results)[0]);
  ASSERT_EQ(indices.size(), static_cast<size_t>(kCount));
  EXPECT_EQ(indices.back(), kCount - 1);
  EXPECT_EQ(describe((*results)[0]), "int64[100000, 1]");
}

TEST(EvaluateNode, NamesWhatIsMissing) {
  Graph graph;
  ir::Value* a = graph.add_constant(floats({2}, {1, 2}));
  Node* node = graph.add_node(Op::sin, {a}, {f32({2})});
  node->source.line = "model.py:7";
  const auto results = evaluate_node(*node, tables());
  ASSERT_FALSE(results.ok());
  EXPECT_EQ(results.error().status, Status::kOperatorMissing);
  EXPECT_EQ(results.error().text,
            "node 'sin' (aten::sin), model.py:7: no kernel for aten::sin.out is linked");
}

TEST(Evaluator, PoisonsOutputsAndGivesScratch) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({1}));
  Node* lazy_node = graph.add_node(Op::abs, {x}, {f32({1})});
  Node* copy = graph.add_node(Op::floor, {x}, {f32({1})});
  graph.outputs = {lazy_node->result(), copy->result()};
  Evaluator evaluator(graph, tables());
  const auto outputs = evaluator.run({floats({1}, {3})});
  ASSERT_TRUE(outputs.ok()) << outputs.error().text;
  EXPECT_EQ(values_of<uint32_t>((*outputs)[0]), std::vector<uint32_t>{0xa5a5a5a5u});
  EXPECT_EQ(values_of((*outputs)[1]), Floats{3});
}

TEST(Evaluator, LearnsSymbolsAndKeepsBuffers) {
  Graph graph;
  const Dim s = Dim::symbol("s0");
  ir::Value* x = graph.add_input("x", f32({s * 2}));
  ir::Value* state = graph.add_buffer("count", floats({}, {1}));
  Node* size = graph.add_node(Op::sym_size_int, {x, 0}, {Type::of_int(s * 2)});
  Node* sum = graph.add_node(Op::add_tensor, {x, state}, {f32({s * 2})});
  Node* next = graph.add_node(Op::add_tensor, {state, 1}, {f32({})});
  graph.buffers[0].update = next->result();
  graph.outputs = {sum->result(), size->result(), 7};
  Evaluator evaluator(graph, tables());
  size_t seen = 0;
  evaluator.set_observer([&](const ir::Value&, const Datum&) { ++seen; });
  for (float count = 1; count < 3; ++count) {
    const auto outputs = evaluator.run({floats({4}, {0, 1, 2, 3})});
    ASSERT_TRUE(outputs.ok()) << outputs.error().text;
    EXPECT_EQ(values_of((*outputs)[0]), (Floats{count, count + 1, count + 2, count + 3}));
    EXPECT_EQ(std::get<Scalar>((*outputs)[1]).to_int(), 4);
    EXPECT_EQ(std::get<Scalar>((*outputs)[2]).to_int(), 7);
  }
  EXPECT_EQ(seen, 8u);
  EXPECT_EQ(values_of(evaluator.buffer("count")), Floats{3});
  evaluator.reset();
  EXPECT_EQ(values_of(evaluator.buffer("count")), Floats{1});
  const auto odd = evaluator.run({floats({3}, {0, 1, 2})});
  ASSERT_FALSE(odd.ok());
  const auto wrong = evaluator.run({floats({2, 1}, {0, 1})});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().text, "input 0 ('x'): got float32[2, 1], expected float32[2*s0]");
}

TEST(Evaluator, SeesWhatOperatorsWrite) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({2}));
  ir::Value* state = graph.add_buffer("state", floats({2}, {0, 0}));
  Node* write = graph.add_node(Op::copy_, {state, x}, {f32({2})});
  Node* twice = graph.add_node(Op::add_tensor, {state, x}, {f32({2})});
  graph.outputs = {write->result(), twice->result()};
  Evaluator evaluator(graph, tables());
  const auto outputs = evaluator.run({floats({2}, {1, 2})});
  ASSERT_TRUE(outputs.ok()) << outputs.error().text;
  EXPECT_EQ(values_of((*outputs)[0]), (Floats{1, 2}));
  EXPECT_EQ(values_of((*outputs)[1]), (Floats{2, 4}));
  EXPECT_EQ(values_of(evaluator.buffer("state")), (Floats{1, 2}));
  EXPECT_EQ(values_of(graph.buffers[0].initial), (Floats{0, 0}));
}

// A body with inputs a[, b] that returns a + (b or number).
std::shared_ptr<Graph> adds(std::vector<Dim> sizes, ir::Argument number, size_t inputs = 1) {
  auto body = std::make_shared<Graph>();
  body->name = "adds";
  std::vector<ir::Value*> values;
  for (size_t i = 0; i < inputs; ++i) {
    values.push_back(body->add_input(i == 0 ? "a" : "b", f32(sizes)));
  }
  Node* node = body->add_node(
      Op::add_tensor, {values[0], inputs == 1 ? number : ir::Argument(values[1])}, {f32(sizes)});
  body->outputs = {node->result()};
  return body;
}

TEST(Evaluator, TakesTheBranchOfThePredicate) {
  Graph graph;
  ir::Value* p = graph.add_input("p", Type::of({DType::kBool, {}, {}}));
  ir::Value* x = graph.add_input("x", f32({2}));
  Node* node = graph.add_node(Op::hop_cond, {p, adds({2}, 1), adds({2}, 10), ir::ArgumentList{x}},
                              {f32({2})});
  graph.outputs = {node->result()};
  Evaluator evaluator(graph, tables());
  const Datum number = floats({2}, {1, 2});
  for (const bool flag : {true, false}) {
    const auto outputs =
        evaluator.run({ir::make_scalar_constant("", DType::kBool, Scalar::of_bool(flag)), number});
    ASSERT_TRUE(outputs.ok()) << outputs.error().text;
    EXPECT_EQ(values_of((*outputs)[0]), flag ? (Floats{2, 3}) : (Floats{11, 12}));
  }
}

TEST(Evaluator, RunsLoops) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({}));
  ir::Value* xs = graph.add_input("xs", f32({3, 1}, {1, 0}));
  auto below_ten = std::make_shared<Graph>();
  ir::Value* a = below_ten->add_input("a", f32({}));
  below_ten->outputs = {
      below_ten->add_node(Op::lt_scalar, {a, 10}, {Type::of({DType::kBool, {}, {}})})->result()};
  Node* loop =
      graph.add_node(Op::hop_while_loop,
                     {below_ten, adds({}, 4), ir::ArgumentList{x}, ir::ArgumentList{}}, {f32({})});
  Node* mapped = graph.add_node(
      Op::hop_map_impl, {adds({1}, 1), ir::ArgumentList{xs}, ir::ArgumentList{}}, {f32({3, 1})});
  auto combine = std::make_shared<Graph>();  // (sum, x) -> (sum + x, sum + x)
  ir::Value* sum = combine->add_input("sum", f32({1}));
  ir::Value* item = combine->add_input("item", f32({1}));
  ir::Value* next = combine->add_node(Op::add_tensor, {sum, item}, {f32({1})})->result();
  combine->outputs = {next, next};
  ir::Value* zero = graph.add_constant(floats({1}, {0}));
  Node* scan = graph.add_node(
      Op::hop_scan, {combine, ir::ArgumentList{zero}, ir::ArgumentList{xs}, ir::ArgumentList{}},
      {f32({1}), f32({3, 1})});
  graph.outputs = {loop->result(), mapped->result(), scan->result(0), scan->result(1)};
  Evaluator evaluator(graph, tables());
  const auto outputs = evaluator.run({floats({}, {1}), floats({3, 1}, {1, 2, 3})});
  ASSERT_TRUE(outputs.ok()) << outputs.error().text;
  EXPECT_EQ(values_of((*outputs)[0]), Floats{13});
  EXPECT_EQ(values_of((*outputs)[1]), (Floats{2, 3, 4}));
  EXPECT_EQ(values_of((*outputs)[2]), Floats{6});
  EXPECT_EQ(values_of((*outputs)[3]), (Floats{1, 3, 6}));
}

TEST(Evaluator, RefusesCompositesAndWrongTypes) {
  Graph graph;
  ir::Value* x = graph.add_input("x", f32({2}));
  Node* node = graph.add_node(Op::square, {x}, {f32({2})});
  graph.outputs = {node->result()};
  const auto composite = Evaluator(graph, tables()).run({floats({2}, {1, 2})});
  ASSERT_FALSE(composite.ok());
  EXPECT_NE(composite.error().text.find("decompose it first"), std::string::npos);
  Graph lies;
  ir::Value* y = lies.add_input("y", f32({2}));
  lies.outputs = {lies.add_node(Op::floor, {y}, {f32({3})})->result()};
  const auto refused = Evaluator(lies, tables()).run({floats({2}, {1, 2})});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text,
            "node 'floor' (aten::floor): result 0: got float32[2], expected float32[3]");
}

TEST(Datum, ReordersAndSlices) {
  const ir::ConstantPtr rows = floats({2, 3}, {0, 1, 2, 3, 4, 5});
  const ir::ConstantPtr columns = reordered(rows, {1, 0});
  EXPECT_EQ(values_of(columns), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values_of(reordered(columns, {0, 1})), values_of(rows));
  EXPECT_EQ(values_of(item_of(columns, 1)), (Floats{3, 4, 5}));
  EXPECT_EQ(number_of(floats({1}, {2.5}))->to_double(), 2.5);
  EXPECT_FALSE(number_of(rows).ok());
}

}  // namespace
}  // namespace cresset::eval
