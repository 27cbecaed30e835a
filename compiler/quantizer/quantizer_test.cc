// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/quantizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/ir/parse.h"
#include "compiler/ir/print.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/passes.h"
#include "compiler/quantizer/plan.h"
#include "kernels/registry.h"
#include "ops/op.h"

namespace cresset::quantizer {
namespace {

constexpr char kNetwork[] = R"(graph forward(%x: f32[2, 3, 6, 6]) {
  %w = constant "w" : f32[4, 3, 3, 3]
  %b = constant "b" : f32[4]
  %w2 = constant "w2" : f32[5, 4]
  %pad = constant_pad_nd(%x, [1, 1, 1, 1], 0.0)
  %conv = conv2d(%pad, %w, %b, [1, 1], [0, 0], [1, 1], 1) : f32[2, 4, 6, 6]
  %act = relu(%conv)
  %sum = add_tensor(%act, %act)
  %mean = mean_dim(%sum, [2, 3])
  %linear = linear(%mean, %w2)
  %exp = exp(%linear)
  return %exp, %act
})";

std::shared_ptr<ir::Graph> parsed(const std::string& text) {
  ir::Expected<std::shared_ptr<ir::Graph>> graph = ir::parse_graph(text);
  EXPECT_TRUE(graph.ok()) << graph.error().text;
  return graph.ok() ? *graph : std::make_shared<ir::Graph>();
}

// What the pipeline does behind quantization, as far as these graphs need it.
Context context() {
  Context context;
  context.kernels = kernels::host_kernels();
  context.lower = [](ir::Graph& graph) {
    passes::PassContext passes;
    passes.has_kernel = [](const ir::Node& node) { return !node.info().composite; };
    return passes::decompose(graph, passes);
  };
  return context;
}

Options int8() {
  Options options;
  options.scheme = "int8";
  return options;
}

size_t count(const ir::Graph& graph, ops::Op op) {
  return static_cast<size_t>(std::count_if(graph.nodes().begin(), graph.nodes().end(),
                                           [&](const auto& node) { return node->op() == op; }));
}

const NodeReport* find(const Report& report, const std::string& node) {
  for (const NodeReport& line : report.nodes) {
    if (line.node == node) {
      return &line;
    }
  }
  return nullptr;
}

TEST(Quantize, WritesQuantizeAndDequantizeNodes) {
  const auto graph = parsed(kNetwork);
  const ir::Expected<Report> report =
      quantize(*graph, int8(), random_calibration(*graph, 3), context());
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_FALSE(ir::verify(*graph)) << ir::verify(*graph).text << ir::print(*graph);
  // x, pad, relu, sum, mean, linear; the weights of both products are integers.
  EXPECT_EQ(count(*graph, ops::Op::qd_quantize_per_tensor), 6u) << ir::print(*graph);
  EXPECT_EQ(count(*graph, ops::Op::qd_dequantize_per_channel), 2u);
  EXPECT_EQ(report->samples, 3u);
  ASSERT_EQ(report->outputs.size(), 2u);
  EXPECT_GT(report->outputs[0].sqnr_db, 25);
  EXPECT_GT(report->outputs[1].sqnr_db, 30);
  // Inputs and outputs stay float.
  EXPECT_EQ(graph->inputs[0].value->dtype(), DType::kFloat32);
  EXPECT_EQ(graph->outputs[1].value()->dtype(), DType::kFloat32);
}

TEST(Quantize, ReportsEveryFloatNode) {
  const auto graph = parsed(kNetwork);
  const ir::Expected<Report> report =
      quantize(*graph, int8(), random_calibration(*graph, 2), context());
  ASSERT_TRUE(report.ok()) << report.error().text;
  ASSERT_EQ(report->nodes.size(), 7u);
  EXPECT_EQ(find(*report, "exp")->reason, "no rule for aten::exp");
  EXPECT_FALSE(find(*report, "exp")->quantized);
  const NodeReport& conv = *find(*report, "conv");
  EXPECT_EQ(conv.scheme, "int8, weights per channel");
  EXPECT_TRUE(conv.qparams && conv.sqnr_db && conv.total_sqnr_db && conv.weight_sqnr_db);
  EXPECT_EQ(conv.low, 0);  // behind the relu
  EXPECT_EQ(find(*report, "act")->scheme, "int8, part of conv");
  // What passes elements has its input's parameters.
  EXPECT_EQ(find(*report, "pad")->scheme, "int8, as its input");
}

TEST(Quantize, PerTensorWeightsHaveOneScale) {
  const auto graph = parsed(kNetwork);
  Options options = int8();
  options.per_tensor = true;
  ASSERT_TRUE(quantize(*graph, options, random_calibration(*graph, 2), context()).ok());
  EXPECT_EQ(count(*graph, ops::Op::qd_dequantize_per_channel), 0u);
}

TEST(Quantize, KeepsWhatTheUserNames) {
  const auto graph = parsed(kNetwork);
  Options options = int8();
  options.keep_float = {"lin*", "aten::exp"};
  options.strict = true;
  const ir::Expected<Report> report =
      quantize(*graph, options, random_calibration(*graph, 2), context());
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_EQ(find(*report, "linear")->reason, "--keep-float lin*");
  EXPECT_TRUE(find(*report, "conv")->quantized);
  EXPECT_EQ(count(*graph, ops::Op::qd_dequantize_per_channel), 1u);
}

TEST(Quantize, StrictNamesWhatIsLeft) {
  const auto graph = parsed(kNetwork);
  Options options = int8();
  options.strict = true;
  const ir::Expected<Report> report =
      quantize(*graph, options, random_calibration(*graph, 1), context());
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().text.find("'exp' (aten::exp): no rule for aten::exp"), std::string::npos)
      << report.error().text;
}

TEST(Quantize, MaxDropKeepsTheMostSensitive) {
  const auto strict = parsed(kNetwork);
  Options options = int8();
  options.max_drop_db = 200;  // anything will do
  ir::Expected<Report> report =
      quantize(*strict, options, random_calibration(*strict, 2), context());
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(find(*report, "linear")->quantized && find(*report, "conv")->quantized);
  const auto loose = parsed(kNetwork);
  options.max_drop_db = 0;
  report = quantize(*loose, options, random_calibration(*loose, 2), context());
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(std::any_of(report->nodes.begin(), report->nodes.end(), [](const NodeReport& node) {
    return node.reason.starts_with("sensitive");
  }));
}

TEST(Quantize, BiasesOfDeadChannelsFit32Bits) {
  const auto graph = parsed(R"(graph forward(%x: f32[1, 2]) {
  %w = constant "w" [0.5, -0.25, 0.0, 1e-12] : f32[2, 2]
  %b = constant "b" [0.0, 3.0] : f32[2]
  %y = linear(%x, %w, %b)
  return %y
})");
  const ir::Expected<Report> report =
      quantize(*graph, int8(), random_calibration(*graph, 2), context());
  ASSERT_TRUE(report.ok()) << report.error().text;
  double x_scale = 0;
  std::vector<float> scales;
  for (const auto& node : graph->nodes()) {
    if (node->op() == ops::Op::linear) {
      x_scale = node->arg(0).value()->producer()->arg(1).number();
      scales = floats_of(node->arg(1).value()->producer()->arg(1).value()->constant());
    }
  }
  ASSERT_EQ(scales.size(), 2u);
  EXPECT_LT(3.0 / (x_scale * scales[1]), 0x1p30);
}

constexpr char kMasked[] = R"(graph forward(%x: f32[2, 4], %mask: f32[2, 4]) {
  %w = constant "w" : f32[3, 4]
  %scores = add_tensor(%x, %mask)
  %flat = view_copy(%scores, [2, 4])
  %p = _softmax(%flat, 1, false)
  %y = linear(%p, %w)
  return %y
})";

eval::Datum tensor(const std::vector<float>& numbers) {
  return ir::make_constant("", {DType::kFloat32, {2, 4}, {}}, numbers.data(),
                           numbers.size() * sizeof(float));
}

// Scores of attention with this in the masked places.
Calibration masked_with(float least) {
  Calibration calibration;
  calibration.samples.push_back(
      {tensor({0.5, -1, 2, 1, 3, 0.25, -2, 1}), tensor({0, 0, least, least, 0, least, 0, least})});
  return calibration;
}

TEST(Quantize, LeavesNumbersInFloatThatIntegersDoNotHold) {
  for (const float least : {-1e9f, -std::numeric_limits<float>::infinity()}) {
    const auto graph = parsed(kMasked);
    const ir::Expected<Report> report = quantize(*graph, int8(), masked_with(least), context());
    ASSERT_TRUE(report.ok()) << report.error().text;
    EXPECT_NE(find(*report, "scores")->reason, "") << least;
    EXPECT_NE(find(*report, "flat")->reason, "") << least;
    EXPECT_NE(find(*report, "p")->reason, "") << least;
    EXPECT_TRUE(find(*report, "y")->quantized) << least;
    EXPECT_GT(report->outputs[0].sqnr_db, 30) << least;
  }
  // Numbers that go together stay quantized.
  const auto graph = parsed(kMasked);
  const ir::Expected<Report> report = quantize(*graph, int8(), masked_with(-4), context());
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(find(*report, "scores")->quantized && find(*report, "p")->quantized);
}

TEST(Quantize, NamesCalibrationThatIsNotANumber) {
  const auto graph = parsed(kMasked);
  Calibration calibration = masked_with(0);
  calibration.samples.push_back(
      {tensor({0, 0, 0, 0, 0, NAN, 0, 0}), tensor(std::vector<float>(8))});
  EXPECT_EQ(quantize(*graph, int8(), calibration, context()).error().text,
            "calibration, sample 1: element 5 of input 'x' is NaN");
}

TEST(Quantize, Refuses) {
  const auto graph = parsed(kNetwork);
  Options options = int8();
  const ir::Expected<Report> no_data = quantize(*graph, options, {}, context());
  EXPECT_NE(no_data.error().text.find("needs calibration data: --calibrate"), std::string::npos);
  options.scheme = "int3";
  EXPECT_NE(quantize(*graph, options, {}, context()).error().text.find("known: int8"),
            std::string::npos);
  options.scheme = "int8";
  ASSERT_TRUE(quantize(*graph, options, random_calibration(*graph, 1), context()).ok());
  const ir::Expected<Report> again =
      quantize(*graph, options, random_calibration(*graph, 1), context());
  EXPECT_NE(again.error().text.find("is quantized already"), std::string::npos);
}

TEST(Plan, LeavesWhatOnlyMovesFloats) {
  const auto graph = parsed(R"(graph forward(%x: f32[2, 3]) {
  %t = permute_copy(%x, [1, 0])
  %y = exp(%t)
  return %y
})");
  const Plan plan = make_plan(*graph, int8());
  EXPECT_TRUE(plan.units.empty());
  EXPECT_EQ(plan.left.size(), 2u);
}

TEST(Plan, SharesClampsOnlyWhereNothingElseSeesTheirInput) {
  const auto graph = parsed(R"(graph forward(%x: f32[2, 3]) {
  %w = constant "w" : f32[3, 3]
  %a = linear(%x, %w)
  %b = relu(%a)
  %c = mul_tensor(%a, %b)
  return %c
})");
  const Plan plan = make_plan(*graph, int8());
  ASSERT_EQ(plan.units.size(), 3u);
  EXPECT_EQ(plan.units[0].clamp, nullptr);
}

TEST(Matches, Patterns) {
  EXPECT_TRUE(matches("features.*", "features.0.conv"));
  EXPECT_TRUE(matches("*conv?d", "aten::conv2d"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("features", "features.0"));
  EXPECT_FALSE(matches("a*b", "ac"));
}

}  // namespace
}  // namespace cresset::quantizer
