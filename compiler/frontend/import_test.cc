// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "compiler/frontend/corpus_for_test.h"
#include "compiler/frontend/program_for_test.h"
#include "ops/op.h"

namespace cresset::frontend {
namespace {

using ir::Argument;
using ir::Dim;
using ir::Graph;
using ir::Node;

std::shared_ptr<Graph> import_model(const std::string& name) {
  ir::Expected<ImportedProgram> program = import_program(corpus_path("models/" + name));
  EXPECT_TRUE(program.ok()) << program.error().text;
  return program.ok() ? program->graph : std::make_shared<Graph>();
}

// The packed corpus lacks the larger models.
#define SKIP_WITHOUT(model)                                     \
  if (!std::filesystem::exists(corpus_path("models/" model))) { \
    GTEST_SKIP() << "the corpus at hand does not hold " model;  \
  }

std::vector<const Node*> nodes_of(const Graph& graph, const std::string& op) {
  std::vector<const Node*> nodes;
  for (const auto& node : graph.nodes()) {
    if (node->info().name == op) {
      nodes.push_back(node.get());
    }
  }
  return nodes;
}

const Node* node_of(const Graph& graph, const std::string& op) {
  const std::vector<const Node*> nodes = nodes_of(graph, op);
  EXPECT_FALSE(nodes.empty()) << op;
  return nodes.empty() ? nullptr : nodes.front();
}

std::string message(const std::string& bytes) {
  ir::Expected<ImportedProgram> program = import_program_bytes(bytes, "test.pt2");
  return program.ok() ? "" : program.error().text;
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Import, ReadsTheWorkedExample) {
  ir::Expected<ImportedProgram> program =
      import_program_bytes(ProgramForTest().archive(), "tiny.pt2");
  ASSERT_TRUE(program.ok()) << program.error().text;
  EXPECT_EQ(program->torch_version, "2.10.0");
  EXPECT_FALSE(program->functional);
  const Graph& graph = *program->graph;

  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.inputs[0].name, "x");
  const Dim n = Dim::symbol("s77");
  EXPECT_TRUE(graph.inputs[0].value->sizes() == (std::vector<Dim>{n, 2, 3}));
  ASSERT_TRUE(graph.ranges.count("s77"));
  EXPECT_EQ(graph.ranges.at("s77").min, 2);
  EXPECT_EQ(graph.ranges.at("s77").max, 16);

  std::vector<std::string> ops;
  for (const auto& node : graph.nodes()) {
    ops.emplace_back(node->info().name);
  }
  EXPECT_EQ(ops, (std::vector<std::string>{"aten::sym_size", "aten::view", "aten::linear",
                                           "aten::relu", "aten::mul", "aten::add"}));
  const Node* size = node_of(graph, "aten::sym_size");
  EXPECT_TRUE(size->result()->type.value == n);
  EXPECT_EQ(size->debug_handle, 1u);
  const Node* view = node_of(graph, "aten::view");
  EXPECT_EQ(view->arg("size").list()[0].value(), size->result());
  EXPECT_EQ(view->arg("size").list()[1].integer(), 6);
  EXPECT_EQ(view->result()->name, "view");
  EXPECT_TRUE(view->result()->sizes() == (std::vector<Dim>{n, 6}));
  EXPECT_EQ(view->source.line, "net.py:7, in forward: v = x.view(n, 6)");
  EXPECT_EQ(view->source.module, "body.0");

  const Node* linear = node_of(graph, "aten::linear");
  const ir::ConstantPtr& weight = linear->arg("weight").value()->constant();
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->name, "fc.weight");
  ASSERT_EQ(weight->size_bytes, 48u);
  float element = 0;
  std::memcpy(&element, weight->bytes + 44, sizeof(element));
  EXPECT_EQ(element, 11.0f / 8);

  // A strided view of a longer storage: copied densely.
  const ir::ConstantPtr& scale = node_of(graph, "aten::mul")->arg("other").value()->constant();
  ASSERT_NE(scale, nullptr);
  ASSERT_EQ(scale->size_bytes, 8u);
  float values[2];
  std::memcpy(values, scale->bytes, sizeof(values));
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_EQ(values[1], 2.0f);

  const Node* add = node_of(graph, "aten::add");
  EXPECT_EQ(add->arg("other").integer(), 1);
  EXPECT_EQ(add->arg("alpha").integer(), 2);
  ASSERT_EQ(graph.outputs.size(), 1u);
  EXPECT_EQ(graph.outputs[0].value(), add->result());
  EXPECT_EQ(graph.output_names, (std::vector<std::string>{"output"}));
}

TEST(Import, ListsAllMissingOperators) {
  ProgramForTest test;
  test.replace("torch.ops.aten.relu.default", "torch.ops.aten.relux.default");
  test.replace("torch.ops.aten.view.default", "torch.ops.mylib.frobnicate_deeply.default");
  const std::string text = message(test.archive());
  EXPECT_TRUE(mentions(text, "2 operators are not supported")) << text;
  EXPECT_TRUE(mentions(text, "aten.relux.default (1 use); near names: aten.relu.default")) << text;
  EXPECT_TRUE(mentions(text, "mylib.frobnicate_deeply.default (1 use), net.py:7, in forward"))
      << text;
}

TEST(Import, TakesOperatorsOfTheApplication) {
  ProgramForTest test;
  test.replace("torch.ops.aten.relu.default", "torch.ops.mylib.wave.fast");
  const std::string archive = test.archive();
  EXPECT_TRUE(mentions(message(archive), "mylib.wave.fast"));
  ops::OpInfo wave{};
  wave.op = ops::Op::kCount;
  wave.id = "mylib_wave";
  wave.name = "mylib::wave";
  wave.overload = "fast";
  wave.schema = ops::parse_schema("(Tensor self, float height=0.5) -> Tensor");
  const ops::OpInfo ops[] = {wave};
  ImportOptions options;
  options.application_ops = ops;
  ir::Expected<ImportedProgram> program = import_program_bytes(archive, "test.pt2", options);
  ASSERT_TRUE(program.ok()) << program.error().text;
  EXPECT_EQ(node_of(*program->graph, "mylib::wave")->arg("height").number(), 0.5);
}

TEST(Import, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* from;
    const char* to;
    const char* text;
  } kCases[] = {
      {R"({"as_tensor": {"name": "view"}}, "kind": 1})",
       R"({"as_tensor": {"name": "vw"}}, "kind": 1})",
       "nodes[2].inputs[0].arg.as_tensor.name: nothing is called 'vw'"},
      {R"("major": 8)", R"("major": 9)", "schema version 9"},
      {R"({"as_int": 6})", R"({"as_integer": 6})", "unknown tag 'as_integer'"},
      {R"("name": "dim")", R"("name": "dimension")", "no such argument"},
      {R"("dtype": 7)", R"("dtype": 77)", "dtype number 77"},
      {R"("dtype": 7)", R"("dtype": 6)", "stored as float32[2, 6], but the graph takes float16"},
      {R"("parameter_name": "fc.weight")", R"("parameter_name": "fc.weigth")",
       "weight 'fc.weigth' is missing"},
      {R"({"as_int": 0}, "kind": 1})", R"({"as_string": "x"}, "kind": 1})",
       "the argument 'dim' should be a int"},
      {R"({"as_int": 0}, "kind": 1})", R"({"as_complex": {"real": 1, "imag": 2}}, "kind": 1})",
       "as_complex are not supported"},
      {R"({"user_output": )", R"({"loss_output": )", "training graph"},
      {R"("min_val": 2)", R"("min_val": 20)", "empty range"},
      {R"(Symbol('s77', positive)", R"(Symbol(s77, positive)", "symbolic expression"},
      {R"({"name": "dim")", R"({"nam": "dim")", "the member 'name' is missing"},
      {R"("layout": 7)", R"("layout": 2)", "sparse"},
  };
  for (const auto& test : kCases) {
    ProgramForTest program;
    program.replace(test.from, test.to);
    const std::string text = message(program.archive());
    EXPECT_TRUE(mentions(text, test.text)) << test.to << " gives: " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

TEST(Import, ChoosesAmongPrograms) {
  const std::string archive = ProgramForTest().archive({"encode", "decode"});
  EXPECT_TRUE(mentions(message(archive), "several programs; choose one of decode, encode"));
  ImportOptions options;
  options.program = "decode";
  EXPECT_TRUE(import_program_bytes(archive, "test.pt2", options).ok());
  options.program = "forward";
  EXPECT_FALSE(import_program_bytes(archive, "test.pt2", options).ok());
}

TEST(Import, RecordsMutationsThatTheFileLists) {
  ProgramForTest test;
  test.replace(R"("outputs": [{"as_tensor": {"name": "add"}}], "nodes")",
               R"("outputs": [{"as_tensor": {"name": "mul"}}, {"as_tensor": {"name": "relu"}}, )"
               R"({"as_tensor": {"name": "add"}}], "nodes")");
  test.replace(
      R"("output_specs": [)",
      R"("output_specs": [{"buffer_mutation": {"arg": {"name": "mul"}, "buffer_name": "scale"}}, )"
      R"({"user_input_mutation": {"arg": {"name": "relu"}, "user_input_name": "x"}}, )");
  ir::Expected<ImportedProgram> program = import_program_bytes(test.archive(), "test.pt2");
  ASSERT_TRUE(program.ok()) << program.error().text;
  const Graph& graph = *program->graph;
  ASSERT_EQ(graph.buffers.size(), 1u);
  EXPECT_EQ(graph.buffers[0].name, "scale");
  EXPECT_EQ(graph.buffers[0].update->name, "mul");
  EXPECT_EQ(graph.inputs[0].update->name, "relu");
  EXPECT_EQ(graph.outputs.size(), 1u);
}

TEST(Import, NamesInputsAndKeepsConstantOnes) {
  for (const char* variant : {"", "_torch26", "_torch28", "_torch215"}) {
    const std::shared_ptr<Graph> graph =
        import_model("pytree_scalars" + std::string(variant) + "/model.pt2");
    std::vector<std::string> names;
    for (const ir::UserInput& input : graph->inputs) {
      names.push_back(input.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"batch.x", "batch.m", "pair[0]", "pair[1][0]",
                                               "scale", "n", "flip"}))
        << variant;
    ASSERT_EQ(graph->outputs.size(), 7u);
    EXPECT_EQ(graph->inputs[4].value, nullptr);
    EXPECT_EQ(graph->inputs[4].specialised.number(), 0.5);
    EXPECT_TRUE(graph->inputs[6].specialised.boolean());
    EXPECT_EQ(graph->output_names[1], "output.stats[0]");
    EXPECT_TRUE(graph->outputs[3].is_none());
    EXPECT_EQ(graph->outputs[4].integer(), 2);
  }
}

TEST(Import, ReadsSymbolicNumbers) {
  const std::shared_ptr<Graph> graph = import_model("symint_io/model.pt2");
  const auto k = std::find_if(graph->inputs.begin(), graph->inputs.end(),
                              [](const ir::UserInput& input) { return input.name == "k"; });
  ASSERT_NE(k, graph->inputs.end());
  EXPECT_EQ(k->value->type.kind, ir::Type::Kind::kInt);
  EXPECT_FALSE(k->value->type.value.is_known());
  const Node* quotient = node_of(*graph, "executorch_prim::floordiv");
  ASSERT_NE(quotient, nullptr);
  EXPECT_EQ(quotient->result()->type.kind, ir::Type::Kind::kInt);
}

TEST(Import, ReadsControlFlow) {
  for (const char* variant : {"", "_torch26", "_torch28", "_torch215"}) {
    const std::shared_ptr<Graph> graph =
        import_model("cond_branch" + std::string(variant) + "/model.pt2");
    const Node* cond = node_of(*graph, "higher_order::cond");
    ASSERT_NE(cond, nullptr);
    ASSERT_EQ(cond->results().size(), 1u);
    EXPECT_TRUE(cond->arg("pred").is_value());
    const size_t operands = cond->arg("operands").list().size();
    std::set<uint32_t> handles;
    for (const char* body : {"true_graph", "false_graph"}) {
      const Graph& branch = *cond->arg(body).graph();
      EXPECT_EQ(branch.inputs.size(), operands);
      EXPECT_EQ(branch.outputs.size(), 1u);
      EXPECT_FALSE(branch.nodes().empty());
      for (const auto& node : branch.nodes()) {
        EXPECT_TRUE(handles.insert(node->debug_handle).second);
      }
    }
  }
  const std::shared_ptr<Graph> loop = import_model("while_loop/model.pt2");
  EXPECT_EQ(node_of(*loop, "higher_order::while_loop")->arg("condition").graph()->outputs.size(),
            1u);
  const std::shared_ptr<Graph> scan = import_model("scan_rnn/model.pt2");
  EXPECT_TRUE(node_of(*scan, "higher_order::scan")->arg("combine").is_graph());
  const std::shared_ptr<Graph> map = import_model("map_rows/model.pt2");
  EXPECT_TRUE(node_of(*map, "higher_order::map_impl")->arg("body").is_graph());
}

TEST(Import, PutsBodiesOfWrappersInPlace) {
  SKIP_WITHOUT("efficientvit_b0");
  const std::shared_ptr<Graph> graph = import_model("efficientvit_b0/model.pt2");
  for (const auto& node : graph->nodes()) {
    EXPECT_FALSE(node->info().name.starts_with("higher_order"));
  }
  ASSERT_EQ(graph->outputs.size(), 1u);
}

TEST(Import, SharesTiedWeights) {
  for (const char* variant : {"", "_torch26"}) {
    const std::shared_ptr<Graph> graph =
        import_model("tied_weights" + std::string(variant) + "/model.pt2");
    const ir::Value* table = node_of(*graph, "aten::embedding")->arg("weight").value();
    const std::vector<const Node*> linears = nodes_of(*graph, "aten::linear");
    EXPECT_TRUE(std::any_of(linears.begin(), linears.end(), [&](const Node* node) {
      return node->arg("weight").value() == table;
    })) << variant;
  }
}

TEST(Import, MarksNodesInPlace) {
  SKIP_WITHOUT("mobilenet_v2");
  const std::shared_ptr<Graph> graph = import_model("mobilenet_v2/model.pt2");
  for (const Node* node : nodes_of(*graph, "aten::hardtanh")) {
    EXPECT_TRUE(node->in_place);
  }
  for (const Node* node : nodes_of(*graph, "aten::conv2d")) {
    EXPECT_FALSE(node->in_place);
  }
  // The written argument is not the first one of the functional operator.
  ir::Expected<ImportedProgram> program =
      import_program(corpus_path("exported/polygamma_polygamma_n_1/4.pt2"));
  ASSERT_TRUE(program.ok()) << program.error().text;
  const Node* copy = node_of(*program->graph, "aten::copy_");
  ASSERT_NE(copy, nullptr);
  EXPECT_TRUE(copy->in_place);
  EXPECT_EQ(copy->arg(1).value()->producer()->info().name, "aten::polygamma");
}

TEST(Import, KeepsLayoutsThatWereAskedFor) {
  SKIP_WITHOUT("mobilenet_v2_cl");
  const std::shared_ptr<Graph> graph = import_model("mobilenet_v2_cl/model.pt2");
  const std::vector<uint8_t> channels_last = {0, 2, 3, 1};
  EXPECT_EQ(graph->inputs[0].value->tensor().dim_order, channels_last);
  EXPECT_EQ(node_of(*graph, "aten::conv2d")->result()->tensor().dim_order, channels_last);
  const std::shared_ptr<Graph> plain = import_model("mobilenet_v2/model.pt2");
  for (const auto& value : plain->values()) {
    EXPECT_TRUE(value->tensor().dim_order.empty()) << value->name;
  }
}

TEST(Import, OpensTensorSubclasses) {
  ir::Expected<ImportedProgram> program =
      import_program(corpus_path("executorch/ao_8da4w/model.pt2"));
  ASSERT_TRUE(program.ok()) << program.error().text;
  const Node* dequantize = node_of(*program->graph, "torchao::dequantize_affine");
  ASSERT_NE(dequantize, nullptr);
  size_t constants = 0;
  for (const Node* node : nodes_of(*program->graph, "torchao::dequantize_affine")) {
    constants +=
        node->arg(0).is_value() && node->arg(0).value()->origin() == ir::Value::Origin::kConstant;
  }
  EXPECT_GT(constants, 0u);
}

// Every archive of the corpus, of every release and layout.
TEST(Import, ReadsTheWholeCorpus) {
  size_t count = 0;
  for (const char* folder : {"models", "exported", "executorch", "vulkan"}) {
    if (!std::filesystem::exists(corpus_path(folder))) {
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus_path(folder))) {
      if (entry.path().extension() != ".pt2") {
        continue;
      }
      ++count;
      ir::Expected<ImportedProgram> program = import_program(entry.path().string());
      EXPECT_TRUE(program.ok()) << program.error().text;
      if (!program.ok()) {
        continue;
      }
      EXPECT_FALSE(program->graph->nodes().empty() && program->graph->outputs.empty());
      EXPECT_EQ(program->graph->output_names.size(), program->graph->outputs.size())
          << entry.path();
    }
  }
  EXPECT_GT(count, 2000u);
}

}  // namespace
}  // namespace cresset::frontend
