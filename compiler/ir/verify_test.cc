// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/verify.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "compiler/ir/parse.h"
#include "ops/op.h"

namespace cresset::ir {
namespace {

constexpr const char* kGood = R"(
graph forward(%x: f32[s0, 4], %p: bool[], %n: int(s1)) {
  s0 in [1, 8]
  %w = constant "w" [1, 2, 3, 4] : f32[4]
  %state = buffer "state" [0, 0, 0, 0] : f32[4]
  %sum = add_tensor(%x, %w)
  %both = add_tensor(%sum, %sum)
  %pick = hop_cond(%p, graph yes(%a: f32[s0, 4]) {
      %b = neg(%a)
      return %b
    }, graph no(%a: f32[s0, 4]) {
      return %a
    }, [%both]) : f32[s0, 4]
  update %state = %w
  return "y": %pick, "n": 3
})";

std::shared_ptr<Graph> parse(const char* text) {
  Expected<std::shared_ptr<Graph>> graph = parse_graph(text);
  EXPECT_TRUE(graph.ok()) << graph.error().text;
  return graph.ok() ? *graph : std::make_shared<Graph>();
}

Value* value(const Graph& graph, const std::string& name) {
  for (const auto& v : graph.values()) {
    if (v->name == name) {
      return v.get();
    }
  }
  return nullptr;
}

Node* node(const Graph& graph, const std::string& name) { return value(graph, name)->producer(); }

TEST(Verify, AcceptsGoodGraphs) {
  const Error e = verify(*parse(kGood));
  EXPECT_TRUE(e.ok()) << e.text;
}

// One way to break each rule, beginning with a graph that keeps all.
struct Broken {
  const char* rule;
  std::function<void(Graph&)> breaks;
  const char* message;
};

const std::vector<Broken>& broken() {
  static const auto kOutside = parse("graph outside(%y: f32[s0, 4]) { return %y }");
  static const std::vector<Broken> kList = {
      {"no dangling values", [](Graph& g) { g.outputs[0] = kOutside->outputs[0].value(); },
       "an output refers to a value that the graph does not own"},
      {"origins", [](Graph& g) { g.inputs.erase(g.inputs.begin()); },
       "%x does not come from where it says"},
      {"unique names", [](Graph& g) { value(g, "sum")->name = "x"; }, "two values are called %x"},
      {"defined before use", [](Graph& g) { g.move_before(node(g, "both"), node(g, "sum")); },
       "%sum is used before it is defined"},
      {"users",
       [](Graph& g) {
         const auto& users = value(g, "sum")->users();
         const_cast<std::vector<Node*>&>(users).pop_back();
       },
       "%sum names 1 uses, the graph has 2"},
      {"types", [](Graph& g) { value(g, "x")->type.tensor.sizes[1] = -4; },
       "%x has a negative size: f32[s0, -4]"},
      {"types",
       [](Graph& g) {
         value(g, "x")->type.tensor.dim_order = {1, 1};
       },
       "%x has a dim order that is no permutation of its 2 dimensions"},
      {"constants", [](Graph& g) { value(g, "w")->type.tensor.dtype = DType::kInt32; },
       "constant %w is i32[4], its data f32[4]"},
      {"constants",
       [](Graph& g) {
         auto cut = std::make_shared<Constant>(*g.buffers[0].initial);
         cut->size_bytes = 4;
         g.buffers[0].initial = cut;
       },
       "constant %state has 4 bytes of data, its type takes 16"},
      {"arguments", [](Graph& g) { node(g, "both")->set_arg("self", "text"); },
       "argument 'self' is a string, expected a tensor"},
      {"arguments", [](Graph& g) { node(g, "both")->set_arg("other", Argument()); },
       "argument 'other' is None, expected a tensor"},
      {"arguments", [](Graph& g) { node(g, "both")->set_arg("alpha", value(g, "x")); },
       "argument 'alpha' is a tensor, expected a number"},
      {"results", [](Graph& g) { value(g, "both")->type = Type::of_int(1); },
       "result 0 is int(1), which its schema does not say"},
      {"results", [](Graph& g) { g.add_node(ops::Op::neg, {value(g, "x")}, {}); },
       "it has 0 results, its schema 1"},
      {"inferred types", [](Graph& g) { value(g, "both")->type.tensor.sizes[1] = 5; },
       "result 0 is f32[s0, 5], the operator gives f32[s0, 4]"},
      {"inferred types", [](Graph& g) { value(g, "both")->type.tensor.dtype = DType::kFloat16; },
       "result 0 is f16[s0, 4], the operator gives f32[s0, 4]"},
      {"bodies",
       [](Graph& g) {
         node(g, "pick")->set_arg("operands", ArgumentList{value(g, "both"), value(g, "x")});
       },
       "inputs of body 'yes': 1 values, expected 2"},
      {"bodies",
       [](Graph& g) { node(g, "pick")->set_arg("operands", ArgumentList{value(g, "w")}); },
       "inputs of body 'yes': value 0 is f32[s0, 4], expected f32[4]"},
      {"bodies", [](Graph& g) { value(g, "pick")->type.tensor.sizes[1] = 5; },
       "outputs of body 'yes': value 0 is f32[s0, 4], expected f32[s0, 5]"},
      {"bodies",
       [](Graph& g) {
         node(g, "pick")->arg("true_graph").graph()->ranges["s0"] = {1, 2};
       },
       "body 'yes' has buffers or ranges of its own"},
      {"outputs", [](Graph& g) { g.outputs.push_back(ArgumentList{}); }, "output 2 is a list"},
      {"outputs", [](Graph& g) { g.output_names.pop_back(); }, "1 names for 2 outputs"},
      {"outputs", [](Graph& g) { g.buffers[0].update = value(g, "x"); },
       "the update of buffer 'state' is f32[s0, 4], which it cannot hold"},
      {"functional", [](Graph& g) { node(g, "both")->in_place = true; },
       "it writes into a tensor, which functionalize should have resolved"},
      {"functional",
       [](Graph& g) {
         g.add_node(ops::Op::copy_, {value(g, "state"), value(g, "w")}, {value(g, "w")->type});
       },
       "it writes into a tensor, which functionalize should have resolved"},
      {"rows only",
       [](Graph& g) { g.add_node(ops::Op::square, {value(g, "x")}, {value(g, "x")->type}); },
       "it is a composite, which decompose should have resolved"},
  };
  return kList;
}

TEST(Verify, FindsEachBrokenRule) {
  VerifyOptions options;
  options.functional = options.rows_only = true;
  ASSERT_TRUE(check_rules(*parse(kGood), options).empty());
  for (const Broken& b : broken()) {
    const std::shared_ptr<Graph> graph = parse(kGood);
    b.breaks(*graph);
    const std::vector<Violation> found = check_rules(*graph, options);
    ASSERT_FALSE(found.empty()) << b.rule << ": " << b.message;
    EXPECT_EQ(found[0].rule, b.rule);
    EXPECT_NE(found[0].text.find(b.message), std::string::npos) << found[0].text;
  }
}

TEST(Verify, EveryRuleHasANegativeTest) {
  std::set<std::string> tested;
  for (const Broken& b : broken()) {
    tested.insert(b.rule);
  }
  for (const std::string& rule : rule_names()) {
    EXPECT_TRUE(tested.contains(rule)) << rule;
  }
}

TEST(Verify, ChecksBodiesToo) {
  const std::shared_ptr<Graph> graph = parse(kGood);
  Graph& body = *node(*graph, "pick")->arg("true_graph").graph();
  value(body, "b")->type.tensor.dtype = DType::kInt8;
  const Error e = verify(*graph);
  EXPECT_EQ(e.status, Status::kInternal);
  EXPECT_EQ(e.text,
            "graph 'forward' breaks the rule 'inferred types': node 'b' (aten::neg): result 0 is "
            "i8[s0, 4], the operator gives f32[s0, 4]");
}

TEST(Verify, ChecksLoops) {
  constexpr const char* kLoops = R"(
graph forward(%x: f32[], %xs: f32[5, 3], %h: f32[3]) {
  %w = hop_while_loop(graph go(%a: f32[], %k: f32[3]) {
      %c = lt_scalar(%a, 10)
      return %c
    }, graph step(%a: f32[], %k: f32[3]) {
      %b = add_scalar(%a, 1)
      return %b
    }, [%x], [%h]) : f32[]
  %m = hop_map_impl(graph each(%a: f32[3], %k: f32[3]) {
      %b = add_tensor(%a, %k)
      return %b
    }, [%xs], [%h]) : f32[5, 3]
  %last, %all = hop_scan(graph combine(%s: f32[3], %a: f32[3]) {
      %b = add_tensor(%s, %a)
      return %b, %b
    }, [%h], [%xs], []) : (f32[3], f32[5, 3])
  return %w, %m, %last, %all
})";
  const std::shared_ptr<Graph> good = parse(kLoops);
  const Error e = verify(*good);
  EXPECT_TRUE(e.ok()) << e.text;
  const struct {
    const char* result;
    const char* arg;
    const char* message;
  } kCases[] = {
      {"w", "carried", "inputs of body 'go': value 0 is f32[], expected f32[5, 3]"},
      {"m", "mapped", "inputs of body 'each': value 0 is f32[3], expected f32[]"},
      {"last", "xs", "inputs of body 'combine': value 1 is f32[3], expected f32[]"},
  };
  for (const auto& c : kCases) {
    const std::shared_ptr<Graph> graph = parse(kLoops);
    Value* wrong = value(*graph, std::string(c.arg) == "carried" ? "xs" : "h");
    node(*graph, c.result)->set_arg(c.arg, ArgumentList{wrong});
    const std::vector<Violation> found = check_rules(*graph);
    ASSERT_FALSE(found.empty()) << c.arg;
    EXPECT_EQ(found[0].rule, "bodies");
    EXPECT_NE(found[0].text.find(c.message), std::string::npos) << found[0].text;
  }
}

}  // namespace
}  // namespace cresset::ir
