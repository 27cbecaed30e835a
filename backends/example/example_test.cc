// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

#include "backends/compilers.h"
#include "backends/example/format.h"
#include "backends/registry.h"
#include "compiler/ir/parse.h"
#include "compiler/pipeline.h"
#include "extensions/data/file_bytes.h"
#include "extensions/module/module.h"
#include "kernels/registry.h"

// The backend against the portable kernels on small graphs; every claim of supported.def is tried
// by build/backend_conformance.
namespace cresset::backends::example {
namespace {

using data::HostTensor;
using data::HostValue;
using Inputs = std::vector<HostValue>;

constexpr char kName[] = "example";

Backend* backend() {
  for (Backend* candidate : enabled()) {
    if (std::strcmp(candidate->id(), "ExampleBackend") == 0) {
      return candidate;
    }
  }
  return nullptr;
}

HostValue random_tensor(std::vector<int32_t> sizes, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-2, 2);
  HostTensor tensor(DType::kFloat32, std::move(sizes));
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    tensor.mutable_data<float>()[i] = uniform(random);
  }
  return {tensor};
}

compiler::CompileResult compiled(const std::string& text, const std::string& backends) {
  const auto graph = ir::parse_graph(text);
  EXPECT_TRUE(graph.ok()) << graph.error().text;
  compiler::CompileOptions options;
  options.kernels = kernels::host_kernels();
  options.backends = *find_compilers(backends);
  options.strict = true;
  auto result = compiler::compile({*graph}, options);
  EXPECT_TRUE(result.ok()) << result.error().text;
  return std::move(*result);
}

std::unique_ptr<Module> module_of(const std::vector<uint8_t>& program) {
  ModuleOptions options;
  options.kernels = {kernels::portable_kernels()};
  options.backends = {backend()};
  auto module = Module::from_bytes(data::FileBytes::own(program), "test", options);
  EXPECT_TRUE(module.ok()) << module.error().text;
  return std::move(*module);
}

std::vector<float> floats(const HostValue& value) {
  std::vector<uint8_t> order(value.get<HostTensor>()->rank());
  std::iota(order.begin(), order.end(), uint8_t{0});
  const HostTensor tensor = value.get<HostTensor>()->reordered(order);
  return {tensor.data<float>(), tensor.data<float>() + tensor.numel()};
}

// The whole graph becomes one delegate that gives what the kernels give, for each set of inputs.
void expect_same(const std::string& text, const std::vector<Inputs>& calls) {
  const compiler::CompileResult delegated = compiled(text, kName);
  ASSERT_EQ(delegated.methods.size(), 1u);
  ASSERT_EQ(delegated.methods[0].delegates.size(), 1u);
  const auto ours = module_of(delegated.program);
  const auto theirs = module_of(compiled(text, "none").program);
  for (const Inputs& inputs : calls) {
    const auto got = ours->forward(inputs);
    const auto want = theirs->forward(inputs);
    ASSERT_TRUE(got.ok()) << got.error().text;
    ASSERT_TRUE(want.ok()) << want.error().text;
    ASSERT_EQ(got->size(), want->size());
    for (size_t i = 0; i < want->size(); ++i) {
      const std::vector<float> a = floats((*got)[i]);
      const std::vector<float> b = floats((*want)[i]);
      ASSERT_EQ(a.size(), b.size());
      for (size_t k = 0; k < a.size(); ++k) {
        ASSERT_NEAR(a[k], b[k], 1e-4 * (1 + std::abs(b[k]))) << "output " << i << " element " << k;
      }
    }
  }
}

TEST(Example, ElementwiseWithBroadcastingAndAlpha) {
  expect_same(R"(graph forward(%x: f32[2, 3, 4], %y: f32[3, 1], %z: f32[]) {
    %a = add_tensor(%x, %y, 3)
    %s = sub_tensor(%z, %a, 0.5)
    %m = mul_tensor(%s, %x)
    %r = relu(%m)
    %c = clamp(%r, None, 1.5)
    %l = clamp(%s, -0.5)
    return %c, %l, %a
  })",
              {{random_tensor({2, 3, 4}, 1), random_tensor({3, 1}, 2), random_tensor({}, 3)}});
}

TEST(Example, LinearWithAndWithoutBias) {
  expect_same(R"(graph forward(%x: f32[2, 3, 8], %w: f32[6, 5]) {
    %v = constant "v" : f32[5, 8]
    %b = constant "b" : f32[5]
    %y = linear(%x, %v, %b)
    %z = linear(%y, %w)
    return %z
  })",
              {{random_tensor({2, 3, 8}, 1), random_tensor({6, 5}, 2)}});
}

TEST(Example, Conv2dWithStridePaddingAndGroups) {
  expect_same(R"(graph forward(%x: f32[2, 4, 9, 7]) {
    %w = constant "w" : f32[6, 2, 3, 2]
    %b = constant "b" : f32[6]
    %k = constant "k" : f32[5, 6, 1, 1]
    %y = conv2d(%x, %w, %b, [2, 1], [1, 3], [1, 1], 2) : f32[2, 6, 5, 12]
    %r = relu(%y)
    %z = conv2d(%r, %k) : f32[2, 5, 5, 12]
    return %z
  })",
              {{random_tensor({2, 4, 9, 7}, 1)}});
}

TEST(Example, SizesMayVary) {
  expect_same(R"(graph forward(%x: f32[s0, 4, 5, 5]) {
    s0 in [0, 6]
    %w = constant "w" : f32[2, 4, 2, 2]
    %y = conv2d(%x, %w) : f32[s0, 2, 4, 4]
    %z = add_tensor(%y, %y)
    %r = relu(%z)
    return %r
  })",
              {{random_tensor({6, 4, 5, 5}, 1)},
               {random_tensor({1, 4, 5, 5}, 2)},
               {random_tensor({0, 4, 5, 5}, 3)},
               {random_tensor({3, 4, 5, 5}, 4)}});
}

TEST(Example, TensorsInOtherOrdersAreMadeRowMajor) {
  expect_same(
      R"(graph forward(%x: f32[1, 3, 4, 4] order [0, 2, 3, 1]) {
    %w = constant "w" : f32[2, 3, 3, 3] order [0, 2, 3, 1]
    %y = conv2d(%x, %w) : f32[1, 2, 2, 2]
    %z = mul_tensor(%y, %y)
    return %z
  })",
      {{HostValue{random_tensor({1, 3, 4, 4}, 1).get<HostTensor>()->reordered({0, 2, 3, 1})}}});
}

// Hears what runs inside the delegate.
class Listener : public EventSink {
 public:
  void begin_instruction(const EventSource& source) override {
    heard.push_back(std::string(depth_++, ' ') + source.name + " " +
                    std::to_string(source.debug_handle));
  }
  void end_instruction(const EventSource&) override { --depth_; }
  std::vector<std::string> heard;

 private:
  size_t depth_ = 0;
};

TEST(Example, AnnouncesItsNodesInsideTheCall) {
  const auto program = compiled(R"(graph forward(%x: f32[4]) {
    %a = add_tensor(%x, %x) @3
    %r = relu(%a) @5
    return %r
  })",
                                kName)
                           .program;
  Listener listener;
  ModuleOptions options;
  options.backends = {backend()};
  options.events = &listener;
  auto module = Module::from_bytes(data::FileBytes::own(program), "test", options);
  ASSERT_TRUE(module.ok()) << module.error().text;
  ASSERT_TRUE((*module)->forward({random_tensor({4}, 1)}).ok());
  EXPECT_EQ(listener.heard, (std::vector<std::string>{"ExampleBackend 3", " add 3", " clamp 5"}));
}

// Two methods and three delegates that use one weight, in the program or in a data file.
class SharedWeights : public testing::TestWithParam<bool> {};

TEST_P(SharedWeights, AreStoredOnce) {
  const std::string body = R"((%x: f32[2, 64]) {
    %w = constant "w" : f32[64, 64]
    %y = linear(%x, %w)
    %t = tanh(%y)
    %z = linear(%t, %w)
    return %z
  })";
  compiler::CompileOptions options;
  options.kernels = kernels::host_kernels();
  options.external_constants = GetParam();
  const auto compile = [&](const std::string& backends) {
    options.backends = *find_compilers(backends);
    auto result = compiler::compile(
        {*ir::parse_graph("graph first" + body), *ir::parse_graph("graph second" + body)}, options);
    EXPECT_TRUE(result.ok()) << result.error().text;
    return std::move(*result);
  };
  const compiler::CompileResult made = compile(kName);
  EXPECT_EQ(made.methods[0].delegates.size() + made.methods[1].delegates.size(), 4u);
  const size_t weight_bytes = 64 * 64 * sizeof(float);
  EXPECT_EQ(made.constant_bytes, weight_bytes);
  EXPECT_LT(made.program.size(), GetParam() ? weight_bytes : 2 * weight_bytes);

  const std::string path = testing::TempDir() + "cresset_example_test.ptd";
  ModuleOptions with;
  with.kernels = {kernels::portable_kernels()};
  with.backends = {backend()};
  if (GetParam()) {
    const Span<const uint8_t> bytes(made.data);
    ASSERT_TRUE(data::write_file(path, {bytes}).ok());
    with.data_files = {path};
  }
  auto module = Module::from_bytes(data::FileBytes::own(made.program), "test", with);
  ASSERT_TRUE(module.ok()) << module.error().text;
  options.external_constants = false;
  const auto plain = module_of(compile("none").program);
  for (const char* method : {"first", "second"}) {
    const auto got = (*module)->run(method, {random_tensor({2, 64}, 1)});
    const auto want = plain->run(method, {random_tensor({2, 64}, 1)});
    ASSERT_TRUE(got.ok() && want.ok()) << got.error().text << want.error().text;
    for (size_t i = 0; i < 128; ++i) {
      ASSERT_NEAR(floats((*got)[0])[i], floats((*want)[0])[i], 1e-3);
    }
  }
  std::remove(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(InsideAndOutside, SharedWeights, testing::Bool());

// One blob to damage.
class Init : public testing::Test {
 protected:
  Init() {
    const compiler::CompileResult made =
        compiled("graph forward(%x: f32[4]) {\n %r = relu(%x)\n return %r\n}", kName);
    const ir::Constant& blob = *made.methods[0].delegates[0].blob;
    blob_.assign(blob.bytes, blob.bytes + blob.size_bytes);
  }
  Status init(Span<const uint8_t> blob) {
    alignas(16) static uint8_t memory[4096];
    Arena arena(Span<uint8_t>(memory, arena_bytes_));
    void* handle = nullptr;
    return backend()->init({"forward", nullptr, &arena, nullptr, &message_}, blob, {}, &handle);
  }
  template <class T>
  Status init_with(size_t at, T value) {
    std::vector<uint8_t> damaged = blob_;
    std::memcpy(damaged.data() + at, &value, sizeof(value));
    return init(damaged);
  }

  std::vector<uint8_t> blob_;
  size_t arena_bytes_ = 4096;
  MessageBuffer<128> message_;
};

TEST_F(Init, TakesItsOwnBlob) { EXPECT_EQ(init(blob_), Status::kOk) << message_.text(); }

TEST_F(Init, RefusesOtherVersions) {
  EXPECT_EQ(init_with(offsetof(Header, version), kVersion + 1),
            Status::kDelegateInvalidCompatibility);
  EXPECT_STREQ(message_.text(), "blob of version 2, this backend reads 1");
  EXPECT_EQ(init_with(offsetof(Header, magic), 0u), Status::kDelegateInvalidCompatibility);
  EXPECT_EQ(init({blob_.data(), 7}), Status::kDelegateInvalidCompatibility);
}

TEST_F(Init, RefusesDamage) {
  const size_t value = sizeof(Header);
  const size_t node = value + 2 * sizeof(ValueRecord);
  EXPECT_EQ(init({blob_.data(), blob_.size() - 1}), Status::kInvalidProgram);
  EXPECT_EQ(init_with(offsetof(Header, value_count), UINT32_MAX), Status::kInvalidProgram);
  EXPECT_EQ(init_with(value + offsetof(ValueRecord, rank), 5u), Status::kInvalidProgram);
  EXPECT_EQ(init_with(value + offsetof(ValueRecord, at), 2u), Status::kInvalidProgram);
  EXPECT_EQ(init_with(value + offsetof(ValueRecord, place), Place::kWorkspace),
            Status::kInvalidProgram);
  EXPECT_EQ(init_with(value + offsetof(ValueRecord, place), 9u), Status::kInvalidProgram);
  EXPECT_EQ(init_with(value + offsetof(ValueRecord, sizes), -1), Status::kInvalidProgram);
  EXPECT_EQ(init_with(node + offsetof(NodeRecord, op), 5u), Status::kInvalidProgram);
  EXPECT_EQ(init_with(node + offsetof(NodeRecord, in), 2u), Status::kInvalidProgram);
  EXPECT_EQ(init_with(node + offsetof(NodeRecord, in), kNone), Status::kInvalidProgram);
  EXPECT_EQ(init_with(node + offsetof(NodeRecord, out), 0u), Status::kInvalidProgram);  // an input
}

TEST_F(Init, SaysWhenTheArenaIsTooSmall) {
  arena_bytes_ = 8;
  EXPECT_EQ(init(blob_), Status::kMemoryAllocationFailed);
}

}  // namespace
}  // namespace cresset::backends::example
