// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/partitioner/partition.h"

#include <gtest/gtest.h>

#include <functional>

#include "compiler/ir/parse.h"
#include "compiler/ir/print.h"
#include "compiler/ir/verify.h"

namespace cresset::partitioner {
namespace {

using ops::Op;

// Takes elementwise rows of f32 and remembers the subgraphs as text.
class Recorder : public BackendCompiler {
 public:
  explicit Recorder(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::string id() const override { return name_ + "Id"; }
  Span<const SupportedOp> supported() const override { return rows; }
  bool takes_dynamic_sizes() const override { return dynamic; }
  std::string refusal(const ir::Node& node) const override { return refuse ? refuse(node) : ""; }
  ir::Expected<CompiledDelegate> compile(const ir::Graph& graph) const override {
    EXPECT_TRUE(ir::verify(graph).ok()) << ir::verify(graph).text;
    graphs.push_back(ir::print(graph));
    if (failure) {
      return failure;
    }
    CompiledDelegate made = answer;
    made.blob = {1, 2, 3};
    return made;
  }

  std::vector<SupportedOp> rows = {
      {Op::add_tensor, {"self: f32", "other: f32", "alpha"}},
      {Op::mul_tensor, {"self: f32", "other: f32"}},
      {Op::relu, {"self: f32"}},
      {Op::permute_copy, {"self: f32", "dims"}},
      {Op::view_copy, {"self: f32", "size"}},
  };
  bool dynamic = false;
  std::function<std::string(const ir::Node&)> refuse;
  ir::Error failure;
  CompiledDelegate answer;
  mutable std::vector<std::string> graphs;

 private:
  std::string name_;
};

struct Parted {
  std::shared_ptr<ir::Graph> graph;
  MethodReport report;
  std::string error;

  std::string fate(const std::string& name) const {
    for (const NodeReport& node : report.nodes) {
      if (node.name == name) {
        return node.delegate == kNotDelegated
                   ? node.reason
                   : report.delegates[node.delegate].backend + std::to_string(node.delegate);
      }
    }
    return "no such node";
  }
  size_t calls() const {
    size_t count = 0;
    for (const auto& node : graph->nodes()) {
      count += node->op() == Op::hop_delegate;
    }
    return count;
  }
};

Parted part(const std::string& text, const BackendCompilers& backends, bool strict = false) {
  const auto parsed = ir::parse_graph(text);
  EXPECT_TRUE(parsed.ok()) << parsed.error().text;
  Parted result;
  result.graph = *parsed;
  auto report = partition(*result.graph, backends, strict);
  result.error = report.error().text;
  if (report.ok()) {
    result.report = *report;
    EXPECT_TRUE(ir::verify(*result.graph).ok()) << ir::verify(*result.graph).text;
  }
  return result;
}

TEST(Partition, HandsOverOneSubgraph) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%x: f32[4]) {
    %c = constant "c" [1, 2, 3, 4] : f32[4]
    %s = add_tensor(%x, %c, 2) @7
    %r = relu(%s) @8
    %t = tanh(%r) @9
    return %t, %s
  })",
                        {&a});
  ASSERT_EQ(a.graphs.size(), 1u);
  EXPECT_EQ(a.graphs[0], R"(graph forward.a0(%x: f32[4]) {
  %c = constant "c" [1.0, 2.0, 3.0, 4.0] : f32[4]
  %s = add_tensor(%x, %c, alpha=2) : f32[4] @7
  %r = relu(%s) : f32[4] @8
  return "s": %s, "r": %r
}
)");
  EXPECT_EQ(p.fate("s"), "a0");
  EXPECT_EQ(p.fate("t"), "operator not supported by a");
  ASSERT_EQ(p.report.delegates.size(), 1u);
  EXPECT_EQ(p.report.delegates[0].inputs, std::vector<std::string>{"x f32[4]"});
  EXPECT_EQ(p.report.delegates[0].outputs, (std::vector<std::string>{"s f32[4]", "r f32[4]"}));
  const ir::Node& call = *p.graph->nodes().front();
  EXPECT_EQ(call.arg("backend").string(), "aId");
  EXPECT_EQ(call.debug_handle, 7u);
  EXPECT_EQ(p.graph->values().size(), 5u);  // x, blob, s, r, t: the constant went along
}

// x -> a -> t -> b -> y and a -> y: {a, b} would need t, which needs a.
TEST(Partition, PartitionsAreConvex) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%x: f32[4]) {
    %p = relu(%x)
    %t = tanh(%p)
    %q = add_tensor(%p, %t)
    return %q
  })",
                        {&a});
  EXPECT_EQ(p.calls(), 2u);
  EXPECT_NE(p.fate("p"), p.fate("q"));
}

// Two sets that each are convex, but would depend on each other.
TEST(Partition, PartitionsDoNotDependOnEachOtherInACircle) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%x: f32[4], %y: f32[4]) {
    %p1 = relu(%x)
    %q1 = relu(%y)
    %t1 = tanh(%p1)
    %t2 = tanh(%q1)
    %p2 = mul_tensor(%p1, %t2)
    %q2 = mul_tensor(%q1, %t1)
    return %p2, %q2
  })",
                        {&a});
  EXPECT_EQ(p.calls(), 3u);  // one of the pairs stays together
}

TEST(Partition, MovesConsumersBehindTheCall) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%x: f32[4], %y: f32[4]) {
    %p = relu(%x)
    %t = tanh(%p)
    %z = tanh(%y)
    %q = add_tensor(%p, %z)
    return %t, %q
  })",
                        {&a});
  EXPECT_EQ(p.calls(), 1u);
  EXPECT_EQ(p.fate("p"), p.fate("q"));
  EXPECT_EQ(p.graph->nodes().back()->op(), Op::tanh);
}

TEST(Partition, LeavesWhatOnlyMovesData) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%x: f32[4, 2]) {
    %v = permute_copy(%x, [1, 0])
    %w = view_copy(%v, [8])
    %t = tanh(%w)
    %u = view_copy(%t, [2, 4])
    %r = relu(%u)
    return %r
  })",
                        {&a});
  EXPECT_EQ(p.calls(), 1u);
  EXPECT_EQ(p.fate("v"), "only moves data: not worth a call of a");
  EXPECT_EQ(p.fate("u"), "a0");
}

TEST(Partition, TheFirstBackendThatTakesANodeGetsIt) {
  Recorder a("a"), b("b");
  a.rows = {{Op::relu, {"self: f32"}}};
  const Parted p = part(R"(graph forward(%x: f32[4]) {
    %s = add_tensor(%x, %x)
    %r = relu(%s)
    %q = mul_tensor(%r, %r)
    %t = tanh(%q)
    return %t
  })",
                        {&a, &b});
  EXPECT_EQ(p.calls(), 3u);
  EXPECT_EQ(p.fate("r"), "a0");
  EXPECT_EQ(p.fate("s"), "b1");
  EXPECT_EQ(p.fate("q"), "b2");
  EXPECT_EQ(p.fate("t"), "operator not supported by a; operator not supported by b");
  for (const std::string& graph : b.graphs) {
    EXPECT_EQ(graph.find("relu"), std::string::npos) << "delegated twice: " << graph;
    EXPECT_EQ(graph.find("hop_delegate"), std::string::npos) << graph;
  }
}

TEST(Partition, HandsOverEachConstantOnceAndRowMajor) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%x: f32[2, 3]) {
    %c = constant "c" [1, 2, 3, 4, 5, 6] : f32[2, 3] order [1, 0]
    %s = add_tensor(%x, %c) : f32[2, 3]
    %q = mul_tensor(%s, %c) : f32[2, 3]
    %t = tanh(%c) : f32[2, 3]
    return %q, %t
  })",
                        {&a});
  ASSERT_EQ(a.graphs.size(), 1u);
  EXPECT_NE(a.graphs[0].find("%c = constant \"c\" [1.0, 3.0, 5.0, 2.0, 4.0, 6.0] : f32[2, 3]\n"),
            std::string::npos)
      << a.graphs[0];
  EXPECT_EQ(a.graphs[0].find("constant", a.graphs[0].find("constant") + 9), std::string::npos);
  EXPECT_EQ(
      p.report.delegates[0].notes,
      std::vector<std::string>{"constant 'c' is used outside too: the program may hold it twice"});
}

TEST(Partition, KeepsWrittenBuffersOutside) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%x: f32[2]) {
    %state = buffer "cache" [0, 0] : f32[2]
    %fixed = buffer "table" [5, 6] : f32[2]
    %s = add_tensor(%state, %x)
    %q = mul_tensor(%s, %fixed)
    update %state = %q
    return %q
  })",
                        {&a});
  ASSERT_EQ(a.graphs.size(), 1u);
  EXPECT_NE(a.graphs[0].find("(%state: f32[2], %x: f32[2])"), std::string::npos) << a.graphs[0];
  EXPECT_NE(a.graphs[0].find("constant \"table\" [5.0, 6.0]"), std::string::npos) << a.graphs[0];
  EXPECT_EQ(p.report.delegates[0].notes,
            std::vector<std::string>{
                "buffer 'cache' is written: kept outside, its contents are an input"});
  EXPECT_EQ(p.graph->buffers[0].update, p.graph->nodes().front()->result());
}

TEST(Partition, HandsOverDynamicSizesOnlyWhereAnnounced) {
  const std::string text = R"(graph forward(%x: f32[s0, 2]) {
    s0 in [1, 8]
    %r = relu(%x)
    return %r
  })";
  Recorder a("a");
  EXPECT_EQ(part(text, {&a}).fate("r"),
            "size s0 of 'x' not known at compile time, a takes fixed sizes only");
  a.dynamic = true;
  EXPECT_EQ(part(text, {&a}).fate("r"), "a0");
  EXPECT_NE(a.graphs[0].find("s0 in [1, 8]"), std::string::npos) << a.graphs[0];
  EXPECT_EQ(part(R"(graph forward(%x: f32[s0, 2]) {
    %r = relu(%x)
    return %r
  })",
                 {&a})
                .fate("r"),
            "size s0 of 'x' has no upper bound");
}

TEST(Partition, PartitionsBodiesOfTheirOwn) {
  const Recorder a("a");
  const Parted p = part(R"(graph forward(%p: bool[], %x: f32[4]) {
    %y = hop_cond(%p, graph yes(%a: f32[4]) {
      %r = relu(%a)
      return %r
    }, graph no(%a: f32[4]) {
      %t = tanh(%a)
      return %t
    }, [%x]) : f32[4]
    return %y
  })",
                        {&a});
  EXPECT_EQ(p.fate("r"), "a0");
  EXPECT_EQ(p.report.delegates[0].body, "y.true_graph");
  EXPECT_EQ(p.fate("t"), "operator not supported by a");
  EXPECT_EQ(p.fate("y"), "control flow not supported by a");
  EXPECT_EQ(p.calls(), 0u);
  ASSERT_EQ(p.report.left().size(), 1u);
  EXPECT_EQ(p.report.left()[0]->name, "t");
}

TEST(Partition, SaysWhyABackendGaveUp) {
  Recorder a("a");
  const std::string text = "graph forward(%x: f32[4]) {\n %r = relu(%x)\n return %r\n}";
  a.failure = ir::not_supported("no room for 4 elements");
  EXPECT_EQ(part(text, {&a}).fate("r"), "a: no room for 4 elements");
  a.failure = ir::error(Status::kInternal, "a fault");
  EXPECT_EQ(part(text, {&a}).error, "backend a, node 'r' (aten::relu): a fault");
  a.failure = {};
  a.refuse = [](const ir::Node&) { return "relu of x not supported by a"; };
  EXPECT_EQ(part(text, {&a}).fate("r"), "relu of x not supported by a");
}

TEST(Partition, StrictListsWhatIsLeft) {
  const Recorder a("a");
  const std::string text = R"(graph forward(%x: f32[4]) {
    %r = relu(%x)
    %t = tanh(%r) // "model.py:3"
    %v = view_copy(%t, [2, 2])
    return %v
  })";
  const std::string error = part(text, {&a}, true).error;
  EXPECT_NE(error.find("--strict: 1 of 3 nodes of 'forward' are not delegated:"), std::string::npos)
      << error;
  EXPECT_NE(error.find("'t' (aten::tanh), model.py:3: operator not supported by a"),
            std::string::npos)
      << error;
  EXPECT_EQ(part("graph forward(%x: f32[4]) {\n %r = relu(%x)\n return %r\n}", {&a}, true).error,
            "");
}

TEST(Partition, RefusesAWrongTableAndClashingNames) {
  Recorder a("a");
  const std::string text = R"(graph forward(%x: f32[4]) {
    %r = relu(%x)
    %t = tanh(%r)
    %q = relu(%t)
    return %q
  })";
  a.refuse = [&](const ir::Node& node) {
    const uint8_t byte = node.result()->name == "r";
    a.answer.data = {ir::make_constant("w", {DType::kUInt8, {ir::Dim(1)}, {}}, &byte, 1)};
    return "";
  };
  EXPECT_EQ(part(text, {&a}).error, "");  // the same bytes twice
  a.rows = {{Op::relu, {"self"}}};
  EXPECT_EQ(part(text, {&a}).error, "backend a: SUPPORTED(relu): tensor 'self' needs dtypes");
}

}  // namespace
}  // namespace cresset::partitioner
