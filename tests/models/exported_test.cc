// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "compiler/application_ops.h"
#include "compiler/ir/parse.h"
#include "compiler/pipeline.h"
#include "extensions/data/cases.h"
#include "extensions/module/module.h"
#include "extensions/session/check_case.h"
#include "kernels/registry.h"

// The models of tests/data/exported that say more than that they compute what PyTorch does (which
// `sweep tests/data/exported` tells).

namespace cresset::tests {
namespace {

std::string exported(const std::string& name) {
  return std::string(CRESSET_SOURCE_DIR) + "/tests/data/exported/" + name;
}

ir::Expected<compiler::CompileResult> compile_file(const std::string& path,
                                                   const std::string& target,
                                                   Span<const ops::OpInfo> operators = {}) {
  compiler::CompileOptions options;
  options.kernels = kernels::host_kernels();
  options.target = target;
  options.verify = true;
  options.application_ops = operators;
  return compiler::compile({{"forward", path}}, options);
}

TEST(Exported, StateThatAnotherTensorShowsAPartOfIsRefused) {
  const auto result = compile_file(exported("overlapping_written.pt2"), "host");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().text.find("'head' is written, and 'tail' is another view of the same"),
            std::string::npos)
      << result.error().text;
  EXPECT_TRUE(compile_file(exported("overlapping_read.pt2"), "host").ok());
}

TEST(Exported, ExecutorchHasNoConvolutionOfVolumes) {
  EXPECT_TRUE(compile_file(exported("volume.pt2"), "host").ok());
  const auto result = compile_file(exported("volume.pt2"), "executorch");
  ASSERT_FALSE(result.ok());
  const std::string& text = result.error().text;
  for (const char* part : {"aten::convolution", "make.py:", "self.conv(x)",
                           "takes tensors of 3 to 4 dimensions, not 5"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Exported, ComplexTensorsAreRefusedWhereKernelsTakeNone) {
  for (const std::string call : {"exp(%z)", "neg(%z)", "cumsum(%z, 0)", "bmm(%z, %z)"}) {
    const std::string rank = call[0] == 'b' ? "2, 2, 2" : "2";
    const auto graph = ir::parse_graph("graph forward(%z: c64[" + rank + "]) {\n  %r = " + call +
                                       "\n  return %r\n}");
    ASSERT_TRUE(graph.ok()) << graph.error().text;
    compiler::CompileOptions options;
    options.kernels = kernels::host_kernels();
    const auto result = compiler::compile({*graph}, options);
    ASSERT_FALSE(result.ok()) << call;
    EXPECT_NE(result.error().text.find("does not take complex64"), std::string::npos)
        << result.error().text;
  }
}

TEST(Exported, ExecutorchSharesNoStateBetweenMethods) {
  const auto compile_methods = [](const std::string& target) {
    std::vector<std::shared_ptr<ir::Graph>> methods;
    for (const std::string name : {"first", "second"}) {
      const auto graph = ir::parse_graph("graph " + name + R"((%x: f32[2]) {
        %s = buffer "s" [0, 0] : f32[2]
        %n = add_tensor!(%s, %x)
        return %n
      })");
      EXPECT_TRUE(graph.ok()) << graph.error().text;
      methods.push_back(*graph);
    }
    compiler::CompileOptions options;
    options.kernels = kernels::host_kernels();
    options.target = target;
    return compiler::compile(methods, options);
  };
  EXPECT_TRUE(compile_methods("host").ok());
  const auto result = compile_methods("executorch");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().text.find("methods share the state 's'"), std::string::npos)
      << result.error().text;
}

// my::accumulate(acc!, x): acc += x.
Status accumulate(KernelContext&, Value* const* args) {
  Tensor& acc = *args[0]->as_tensor();
  const Tensor& x = *args[1]->as_tensor();
  for (int64_t i = 0; i < acc.numel(); ++i) {
    acc.mutable_data<float>()[i] += x.data<float>()[i];
  }
  return Status::kOk;
}

// my::exchange(a!, b!, scale) -> sum of the old a: a = b, b = the old a * scale.
Status exchange(KernelContext&, Value* const* args) {
  Tensor& a = *args[0]->as_tensor();
  Tensor& b = *args[1]->as_tensor();
  const float scale = static_cast<float>(args[2]->as_double());
  float total = 0;
  for (int64_t i = 0; i < a.numel(); ++i) {
    const float old = a.data<float>()[i];
    total += old;
    a.mutable_data<float>()[i] = b.data<float>()[i];
    b.mutable_data<float>()[i] = old * scale;
  }
  args[3]->as_tensor()->mutable_data<float>()[0] = total;
  return Status::kOk;
}

using ops::ArgCode;
constexpr ArgCode kAccumulateArgs[] = {ArgCode::kMutableTensor, ArgCode::kTensor};
constexpr ArgCode kExchangeArgs[] = {ArgCode::kMutableTensor, ArgCode::kMutableTensor,
                                     ArgCode::kDouble, ArgCode::kOutTensor};
constexpr ops::Kernel kMine[] = {
    {"my::accumulate", "", accumulate, nullptr, nullptr, kAccumulateArgs, 2, 0, ops::kWrites},
    {"my::exchange", "out", exchange, nullptr, nullptr, kExchangeArgs, 4, 1, ops::kWrites}};

TEST(Exported, OperatorsInsideOfCallsAreListedWhereTheyAreMissing) {
  for (const std::string name : {"writing_operators", "writing_operators_core"}) {
    const auto result = compile_file(exported(name + ".pt2"), "host");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().status, Status::kOperatorMissing);
    for (const char* part : {"my.accumulate.default (2 uses)", "my.exchange.default (1 use)"}) {
      EXPECT_NE(result.error().text.find(part), std::string::npos) << result.error().text;
    }
  }
}

TEST(Exported, OperatorsOfTheApplicationWriteIntoTheirArguments) {
  const auto declared = compiler::ApplicationOps::parse(
      "OP(\"my::accumulate\", \"\", \"\", \"(Tensor(a!) acc, Tensor x) -> ()\")\n"
      "OP(\"my::exchange\", \"\", \"out\", "
      "\"(Tensor(a!) a, Tensor(b!) b, float scale) -> Tensor\")\n",
      "mine.def");
  ASSERT_TRUE(declared.ok()) << declared.error().text;
  for (const std::string name : {"writing_operators", "writing_operators_core"}) {
    const auto result = compile_file(exported(name + ".pt2"), "host", declared->ops());
    ASSERT_TRUE(result.ok()) << result.error().text;
    ModuleOptions options;
    options.kernels = {kernels::portable_kernels(), kMine};
    const auto module =
        Module::from_bytes(data::FileBytes::own(result->program), name, std::move(options));
    ASSERT_TRUE(module.ok()) << module.error().text;
    const auto cases = data::read_program_cases(exported(name + ".safetensors"));
    ASSERT_TRUE(cases.ok()) << cases.error().text;
    for (const data::ProgramCase& c : *cases) {
      EXPECT_EQ(check_case(**module, c, Reference::kModel), "") << name;
    }
  }
}

}  // namespace
}  // namespace cresset::tests
