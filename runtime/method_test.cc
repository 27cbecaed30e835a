// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/method.h"

#include <flatbuffers/idl.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "extensions/data/memory_loader.h"

// Small programs written as JSON, run with kernels of this file.

namespace cresset {
namespace {

using ops::ArgCode;

Status add(KernelContext&, Value* const* args) {
  const Tensor& a = *args[0]->as_tensor();
  const Tensor& b = *args[1]->as_tensor();
  Tensor& out = *args[3]->as_tensor();
  const float alpha = static_cast<float>(args[2]->as_scalar().to_double());
  for (int64_t i = 0; i < out.numel(); ++i) {
    out.mutable_data<float>()[i] = a.data<float>()[i] + alpha * b.data<float>()[i];
  }
  return Status::kOk;
}

Status infer_add(ops::RuntimeInfer& c) {
  ops::Dims<int64_t> dims;
  for (size_t d = 0; d < c.rank(0); ++d) {
    if (c.size(0, d) != c.size(1, d)) {
      return c.fail("sizes {} and {} differ", c.size(0, d), c.size(1, d));
    }
    dims.push(c.size(0, d));
  }
  return c.set(0, dims, c.dtype(0));
}

Status refuse_negative(KernelContext& context, Value* const* args) {
  const Tensor& a = *args[0]->as_tensor();
  if (a.data<float>()[0] < 0) {
    return context.fail(Status::kInvalidArgument, "{} is negative",
                        static_cast<double>(a.data<float>()[0]));
  }
  std::memcpy(args[1]->as_tensor()->mutable_raw_data(), a.raw_data(), a.nbytes());
  return Status::kOk;
}

Status use_scratch(KernelContext& context, Value* const*) {
  void* memory = nullptr;
  CRESSET_TRY(context.scratch(96, &memory));
  std::memset(memory, 0xab, 96);
  return Status::kOk;
}

constexpr ArgCode kAddCodes[] = {ArgCode::kTensor, ArgCode::kTensor, ArgCode::kScalar,
                                 ArgCode::kOutTensor};
constexpr ArgCode kUnaryCodes[] = {ArgCode::kTensor, ArgCode::kOutTensor};
constexpr ops::Kernel kKernels[] = {
    {"aten::add", "out", add, infer_add, nullptr, kAddCodes, 4, 1, 0},
    {"test::refuse_negative", "out", refuse_negative, nullptr, nullptr, kUnaryCodes, 2, 1, 0},
    {"test::use_scratch", "out", use_scratch, nullptr, [](Value* const*) { return size_t{96}; },
     kUnaryCodes, 2, 1, 0},
};
constexpr ops::KernelTable kTables[] = {ops::KernelTable(kKernels)};

std::string read_text(const std::string& path) {
  std::string text;
  EXPECT_TRUE(flatbuffers::LoadFile(path.c_str(), false, &text)) << path;
  return text;
}

// A program file from the JSON of its FlatBuffer, without segments, at an aligned place.
class ProgramFile {
 public:
  explicit ProgramFile(const std::string& json) {
    const std::string schema_folder = CRESSET_SOURCE_DIR "/schema";
    const char* folders[] = {schema_folder.c_str(), nullptr};
    flatbuffers::Parser parser;
    EXPECT_TRUE(parser.Parse(read_text(schema_folder + "/program.fbs").c_str(), folders))
        << parser.error_;
    EXPECT_TRUE(parser.Parse(json.c_str(), folders)) << parser.error_ << "\n" << json;
    size_ = parser.builder_.GetSize();
    bytes_.resize((size_ + 15) / 16);
    std::memcpy(bytes_.data(), parser.builder_.GetBufferPointer(), size_);
  }
  Span<const uint8_t> bytes() const {
    return {reinterpret_cast<const uint8_t*>(bytes_.data()), size_};
  }

 private:
  struct alignas(16) Unit {
    uint8_t bytes[16];
  };
  std::vector<Unit> bytes_;
  size_t size_ = 0;
};

std::string tensor(const std::string& fields, const std::string& sizes = "[2, 3]",
                   const std::string& order = "[0, 1]") {
  return R"({"val_type": "Tensor", "val": {"scalar_type": "FLOAT", "sizes": )" + sizes +
         R"(, "dim_order": )" + order + (fields.empty() ? "" : ", ") + fields + "}}";
}

std::string planned(int offset) {
  return R"("allocation_info": {"memory_id": 1, "memory_offset_low": )" + std::to_string(offset) +
         "}";
}

std::string call(int op, const std::string& args) {
  return R"({"instr_args_type": "KernelCall", "instr_args": {"op_index": )" + std::to_string(op) +
         R"(, "args": )" + args + "}}";
}

std::string plan(const std::string& values, const std::string& inputs, const std::string& outputs,
                 const std::string& instructions, const std::string& operators,
                 const std::string& buffers = "[0, 96]", const std::string& more = "") {
  return R"({"execution_plan": [{"name": "forward", "values": [)" + values + R"(], "inputs": )" +
         inputs + R"(, "outputs": )" + outputs + R"(, "chains": [{"instructions": [)" +
         instructions + R"(]}], "operators": [)" + operators +
         R"(], "delegates": [], "non_const_buffer_sizes": )" + buffers + more +
         R"(}], "constant_segment": {"segment_index": 0, "offsets": [0]}})";
}

const std::string kInt = R"({"val_type": "Int", "val": {"int_val": 1}})";
const std::string kAdd = R"({"name": "aten::add", "overload": "out"})";

std::string add_program() {
  return plan(
      tensor(planned(0)) + "," + tensor(planned(32)) + "," + kInt + "," + tensor(planned(64)),
      "[0, 1]", "[3]", call(0, "[0, 1, 2, 3, 3]"), kAdd);
}

// A loaded method with memory of exactly the size it asks for, between guards.
class Runner {
 public:
  explicit Runner(const std::string& json) : file_(json), loader_(file_.bytes()) {
    options_.kernels = kTables;
    EXPECT_EQ(program_.load(loader_, message_), Status::kOk) << message_.text();
    arena_bytes_ = *method_arena_bytes(program_, "forward");
    const MethodMeta meta = program_.method_meta(size_t{0});
    for (size_t i = 0; i < meta.planned_buffer_count(); ++i) {
      buffer_bytes_.push_back(meta.planned_buffer_bytes(i));
    }
  }

  Status load() {
    arena_ = std::make_unique<Block[]>(arena_bytes_ / 16 + 1);
    buffers_.clear();
    planned_.clear();
    for (size_t bytes : buffer_bytes_) {
      buffers_.push_back(std::make_unique<Block[]>(bytes / 16 + 1));
      planned_.emplace_back(buffers_.back()[0].bytes, bytes);
    }
    return method.load(program_, "forward", {{arena_[0].bytes, arena_bytes_}, planned_}, options_,
                       message_);
  }

  Status set(size_t index, std::vector<int32_t> sizes, std::vector<float> data,
             std::vector<uint8_t> order = {}) {
    inputs_.push_back(std::make_unique<std::vector<float>>(std::move(data)));
    LocalTensor local(DType::kFloat32, sizes, inputs_.back()->data(),
                      inputs_.back()->size() * sizeof(float), order);
    return method.set_input(index, Value::of_tensor(&*local));
  }

  std::vector<float> output(size_t index) {
    const Tensor& tensor = *method.output(index).as_tensor();
    return {tensor.data<float>(), tensor.data<float>() + tensor.numel()};
  }

  const char* text() const { return message_.text(); }
  bool says(const std::string& text) const {
    return std::string(message_.text()).find(text) != std::string::npos;
  }

 private:
  struct alignas(16) Block {
    uint8_t bytes[16];
  };

  ProgramFile file_;
  MemoryLoader loader_;
  MessageBuffer<512> message_;
  Program program_;
  std::unique_ptr<Block[]> arena_;
  std::vector<std::unique_ptr<Block[]>> buffers_;
  std::vector<Span<uint8_t>> planned_;
  std::vector<std::unique_ptr<std::vector<float>>> inputs_;

 public:
  Method method;
  MethodOptions options_;
  size_t arena_bytes_ = 0;
  std::vector<size_t> buffer_bytes_;
};

const std::vector<float> kOnes = {1, 1, 1, 1, 1, 1};
const std::vector<float> kCount = {1, 2, 3, 4, 5, 6};

TEST(Method, RunsTheMinimalProgram) {
  Runner runner(add_program());
  ASSERT_EQ(runner.load(), Status::kOk) << runner.text();
  EXPECT_EQ(runner.method.arena_needed(), runner.arena_bytes_);
  ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(runner.set(1, {2, 3}, kCount), Status::kOk);
  ASSERT_EQ(runner.method.execute(), Status::kOk) << runner.text();
  EXPECT_EQ(runner.output(0), (std::vector<float>{2, 3, 4, 5, 6, 7}));
}

TEST(Method, NamesThePoolThatIsTooSmall) {
  Runner small_arena(add_program());
  small_arena.arena_bytes_ -= 1;
  EXPECT_EQ(small_arena.load(), Status::kMemoryAllocationFailed);
  EXPECT_TRUE(small_arena.says("the method arena needs " +
                               std::to_string(small_arena.arena_bytes_ + 1) + " bytes, given " +
                               std::to_string(small_arena.arena_bytes_)))
      << small_arena.text();
  small_arena.arena_bytes_ += 1;
  EXPECT_EQ(small_arena.load(), Status::kOk) << "a failed load may be repeated";

  Runner small_buffer(add_program());
  small_buffer.buffer_bytes_[0] = 80;
  EXPECT_EQ(small_buffer.load(), Status::kMemoryAllocationFailed);
  EXPECT_TRUE(small_buffer.says("planned buffer 0 needs 96 bytes, given 80"))
      << small_buffer.text();
}

TEST(Method, RefusesWrongInputsAndGoesOn) {
  Runner runner(add_program());
  ASSERT_EQ(runner.load(), Status::kOk);
  EXPECT_EQ(runner.method.execute(), Status::kInvalidState);
  EXPECT_STREQ(runner.text(), "input 0 is not set");
  EXPECT_EQ(runner.set(0, {3, 2}, kOnes), Status::kInvalidArgument);
  EXPECT_STREQ(runner.text(), "input 0: got shape [3, 2], expected [2, 3]");
  EXPECT_EQ(runner.set(0, {6}, kOnes), Status::kInvalidArgument);
  EXPECT_STREQ(runner.text(), "input 0: got float32 [6], expected float32 [2, 3]");
  EXPECT_EQ(runner.method.set_input(1, Value::of_int(3)), Status::kInvalidArgument);
  EXPECT_STREQ(runner.text(), "input 1: got a int, expected a tensor");
  EXPECT_EQ(runner.set(2, {2, 3}, kOnes), Status::kInvalidArgument);
  ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(runner.set(1, {2, 3}, kOnes), Status::kOk);
  EXPECT_EQ(runner.method.execute(), Status::kOk) << runner.text();
}

TEST(Method, ConvertsAnotherDimOrder) {
  Runner runner(add_program());
  ASSERT_EQ(runner.load(), Status::kOk);
  ASSERT_EQ(runner.set(0, {2, 3}, {1, 4, 2, 5, 3, 6}, {1, 0}), Status::kOk) << runner.text();
  ASSERT_EQ(runner.set(1, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(runner.method.execute(), Status::kOk);
  EXPECT_EQ(runner.output(0), (std::vector<float>{2, 3, 4, 5, 6, 7}));
}

TEST(Method, UnplannedInputsAndOutputsUseTheCallersMemory) {
  Runner runner(plan(tensor("") + "," + tensor(planned(0)) + "," + kInt + "," + tensor(""),
                     "[0, 1]", "[3]", call(0, "[0, 1, 2, 3, 3]"), kAdd));
  ASSERT_EQ(runner.load(), Status::kOk) << runner.text();
  EXPECT_EQ(runner.set(0, {2, 3}, kOnes, {1, 0}), Status::kInvalidArgument);
  EXPECT_TRUE(runner.says("got dim order [1, 0], expected [0, 1]")) << runner.text();
  ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(runner.set(1, {2, 3}, kCount), Status::kOk);
  EXPECT_EQ(runner.method.execute(), Status::kInvalidState);
  EXPECT_TRUE(runner.says("a tensor has no memory")) << runner.text();
  std::vector<float> out(6);
  EXPECT_EQ(runner.method.set_output_memory(0, out.data(), 20), Status::kMemoryAllocationFailed);
  ASSERT_EQ(runner.method.set_output_memory(0, out.data(), 24), Status::kOk);
  ASSERT_EQ(runner.method.execute(), Status::kOk) << runner.text();
  EXPECT_EQ(out, (std::vector<float>{2, 3, 4, 5, 6, 7}));
}

TEST(Method, ListsAllMissingOperators) {
  const std::string values =
      tensor(planned(0)) + "," + tensor(planned(32)) + "," + kInt + "," + tensor(planned(64));
  Runner runner(plan(values, "[0, 1]", "[3]",
                     call(1, "[0, 1, 2, 3, 3]") + "," + call(0, "[0, 1, 2, 3, 3]") + "," +
                         call(2, "[0]") + "," + call(1, "[0]"),
                     kAdd +
                         R"(, {"name": "my::one", "overload": "out"}, {"name": "my::two"},
                              {"name": "never::called"})"));
  EXPECT_EQ(runner.load(), Status::kOperatorMissing);
  EXPECT_STREQ(runner.text(), "method forward: no kernel for my::one.out, my::two");
}

TEST(Method, ResolvesAnOperatorWithItsOverloadInTheName) {
  std::string json = add_program();
  json.replace(json.find(kAdd), kAdd.size(), R"({"name": "aten::add.out", "overload": ""})");
  Runner runner(json);
  EXPECT_EQ(runner.load(), Status::kOk) << runner.text();
}

TEST(Method, ChecksEveryCallWhenItLoads) {
  const std::string values =
      tensor(planned(0)) + "," + tensor(planned(32)) + "," + kInt + "," + tensor(planned(64));
  Runner arity(plan(values, "[0, 1]", "[3]", call(0, "[0, 1, 2, 3]"), kAdd));
  EXPECT_EQ(arity.load(), Status::kInvalidProgram);
  EXPECT_TRUE(arity.says("instruction 0 (aten::add.out): 4 arguments, expected 5")) << arity.text();

  Runner kinds(plan(values, "[0, 1]", "[3]", call(0, "[0, 2, 2, 3, 3]"), kAdd));
  EXPECT_EQ(kinds.load(), Status::kInvalidProgram);
  EXPECT_TRUE(kinds.says("argument 1 is a int, expected tensor")) << kinds.text();

  const std::string other = tensor(planned(0)) + "," + tensor(planned(32)) + "," + kInt + "," +
                            tensor(planned(64), "[3, 2]");
  Runner shapes(plan(other, "[0, 1]", "[3]", call(0, "[0, 1, 2, 3, 3]"), kAdd));
  EXPECT_NE(shapes.load(), Status::kOk);
  EXPECT_TRUE(shapes.says("cannot take [2, 3]")) << shapes.text();
}

const std::string kDynamic = R"("shape_dynamism": "DYNAMIC_BOUND", )";

TEST(Method, ResizesWithinTheBound) {
  Runner runner(plan(tensor(kDynamic + planned(0)) + "," + tensor(kDynamic + planned(32)) + "," +
                         kInt + "," + tensor(kDynamic + planned(64)),
                     "[0, 1]", "[3]", call(0, "[0, 1, 2, 3, 3]"), kAdd));
  ASSERT_EQ(runner.load(), Status::kOk) << runner.text();
  ASSERT_EQ(runner.set(0, {1, 3}, {1, 2, 3}), Status::kOk) << runner.text();
  ASSERT_EQ(runner.set(1, {1, 3}, {1, 1, 1}), Status::kOk);
  ASSERT_EQ(runner.method.execute(), Status::kOk) << runner.text();
  EXPECT_EQ(runner.output(0), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(runner.set(0, {3, 3}, std::vector<float>(9)), Status::kInvalidArgument);
  EXPECT_STREQ(runner.text(), "input 0: dimension 0 is 3, allowed [0, 2]");
  ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
  EXPECT_EQ(runner.method.execute(), Status::kInvalidArgument);
  EXPECT_STREQ(runner.text(),
               "method forward, instruction 0 (aten::add.out): sizes 2 and 1 differ");
  ASSERT_EQ(runner.set(1, {2, 3}, kCount), Status::kOk);
  ASSERT_EQ(runner.method.execute(), Status::kOk) << runner.text();
  EXPECT_EQ(runner.output(0), (std::vector<float>{2, 3, 4, 5, 6, 7}));
}

TEST(Method, ErrorsNameTheInstructionAndTheNextCallWorks) {
  Runner runner(plan(tensor(planned(0)) + "," + tensor(planned(32)), "[0]", "[1]",
                     call(0, "[0, 1, 1]"),
                     R"({"name": "test::refuse_negative", "overload": "out"})", "[0, 64]"));
  ASSERT_EQ(runner.load(), Status::kOk) << runner.text();
  ASSERT_EQ(runner.set(0, {2, 3}, {-2, 0, 0, 0, 0, 0}), Status::kOk);
  EXPECT_EQ(runner.method.execute(), Status::kInvalidArgument);
  EXPECT_STREQ(runner.text(),
               "method forward, instruction 0 (test::refuse_negative.out): -2 is negative");
  ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
  EXPECT_EQ(runner.method.execute(), Status::kOk);
  EXPECT_EQ(runner.output(0), kOnes);
}

TEST(Method, ScratchComesFromThePlanOrElseFromTheArena) {
  const std::string op = R"({"name": "test::use_scratch", "overload": "out"})";
  const std::string io = tensor(planned(0)) + "," + tensor(planned(32));
  const std::string scratch =
      R"(, {"val_type": "Tensor", "val": {"scalar_type": "BYTE", "sizes": [96], "dim_order": [0],
          "allocation_info": {"memory_id": 1, "memory_offset_low": 64},
          "extra_tensor_info": {"fully_qualified_name": "cresset.scratch"}}})";
  Runner with(plan(io + scratch, "[0]", "[1]", call(0, "[0, 1, 1]"), op, "[0, 160]"));
  ASSERT_EQ(with.load(), Status::kOk) << with.text();
  ASSERT_EQ(with.set(0, {2, 3}, kOnes), Status::kOk);
  EXPECT_EQ(with.method.execute(), Status::kOk) << with.text();

  Runner without(plan(io, "[0]", "[1]", call(0, "[0, 1, 1]"), op, "[0, 64]"));
  EXPECT_EQ(without.load(), Status::kMemoryAllocationFailed);
  EXPECT_TRUE(without.says("96 of them kernels' scratch memory")) << without.text();
  without.arena_bytes_ = without.method.arena_needed();
  ASSERT_EQ(without.load(), Status::kOk) << without.text();
  ASSERT_EQ(without.set(0, {2, 3}, kOnes), Status::kOk);
  EXPECT_EQ(without.method.execute(), Status::kOk) << without.text();
}

TEST(Method, MovesAndJumps) {
  // if (flag) out = x else out = x + x
  const std::string values = tensor(planned(0)) + "," + tensor(planned(32)) + "," + kInt + "," +
                             tensor(planned(64)) +
                             R"(, {"val_type": "Bool", "val": {"bool_val": false}},
                                 {"val_type": "Tensor", "val": {"scalar_type": "BOOL", "sizes": [],
                                  "dim_order": [], "allocation_info": {"memory_id": 1,
                                  "memory_offset_low": 96}}})";
  const auto jump = [](int condition, int destination) {
    return R"({"instr_args_type": "JumpFalseCall", "instr_args": {"cond_value_index": )" +
           std::to_string(condition) + R"(, "destination_instruction": )" +
           std::to_string(destination) + "}}";
  };
  const std::string move =
      R"({"instr_args_type": "MoveCall", "instr_args": {"move_from": 0, "move_to": 3}})";
  Runner runner(plan(values, "[0, 5]", "[3]",
                     jump(5, 3) + "," + move + "," + jump(4, 4) + "," + call(0, "[0, 0, 2, 3, 3]"),
                     kAdd, "[0, 112]"));
  ASSERT_EQ(runner.load(), Status::kOk) << runner.text();
  for (const bool flag : {true, false, true}) {
    bool data = flag;
    LocalTensor condition(DType::kBool, {}, &data, 1);
    ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
    ASSERT_EQ(runner.method.set_input(1, Value::of_tensor(&*condition)), Status::kOk);
    ASSERT_EQ(runner.method.execute(), Status::kOk) << runner.text();
    EXPECT_EQ(runner.output(0), std::vector<float>(6, flag ? 1 : 2));
  }

  Runner endless(plan(values, "[0, 5]", "[3]", jump(4, 0), kAdd, "[0, 112]"));
  endless.options_.max_instructions = 1000;
  ASSERT_EQ(endless.load(), Status::kOk) << endless.text();
  bool data = false;
  LocalTensor condition(DType::kBool, {}, &data, 1);
  ASSERT_EQ(endless.set(0, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(endless.method.set_input(1, Value::of_tensor(&*condition)), Status::kOk);
  EXPECT_EQ(endless.method.execute(), Status::kOutOfResources);
  EXPECT_TRUE(endless.says("stopped after 1000 instructions")) << endless.text();
}

TEST(Method, StateLivesUntilReset) {
  // state += x
  const std::string values = tensor(planned(0)) + "," + tensor(planned(32)) + "," + kInt;
  Runner runner(plan(values, "[0]", "[1]", call(0, "[0, 1, 2, 1, 1]"), kAdd, "[0, 64]"));
  ASSERT_EQ(runner.load(), Status::kOk) << runner.text();
  for (const float expected : {1.0f, 2.0f, 3.0f}) {
    ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
    ASSERT_EQ(runner.method.execute(), Status::kOk);
    EXPECT_EQ(runner.output(0), std::vector<float>(6, expected));
  }
  ASSERT_EQ(runner.method.reset(), Status::kOk);
  ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(runner.method.execute(), Status::kOk);
  EXPECT_EQ(runner.output(0), kOnes);
}

TEST(Method, RefusesToWriteConstants) {
  std::string json = plan(tensor(planned(0)) + "," + tensor(R"("data_buffer_idx": 1)") + "," + kInt,
                          "[0]", "[1]", call(0, "[0, 0, 2, 1, 1]"), kAdd, "[0, 64]");
  const std::string segment = R"("constant_segment": {"segment_index": 0, "offsets": [0]})";
  const std::string constants = R"("constant_buffer": [{"storage": []}, {"storage": [0, 0, 128, 63,
      0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 128, 63]}])";
  json.replace(json.find(segment), segment.size(), constants);
  Runner runner(json);
  EXPECT_EQ(runner.load(), Status::kInvalidProgram);
  EXPECT_TRUE(runner.says("argument 3 is a constant, but is written to")) << runner.text();

  json.replace(json.find("[0, 0, 2, 1, 1]"), 15, "[0, 1, 2, 0, 0]");
  json.replace(json.find(R"("outputs": [1])"), 14, R"("outputs": [0])");
  Runner inline_constants(json);
  ASSERT_EQ(inline_constants.load(), Status::kOk) << inline_constants.text();
  ASSERT_EQ(inline_constants.set(0, {2, 3}, kCount), Status::kOk);
  ASSERT_EQ(inline_constants.method.execute(), Status::kOk);
  EXPECT_EQ(inline_constants.output(0), (std::vector<float>{2, 3, 4, 5, 6, 7}));
}

TEST(Method, NamesTheBackendThatIsMissing) {
  std::string json = plan(
      tensor(planned(0)) + "," + tensor(planned(32)), "[0]", "[1]",
      R"({"instr_args_type": "DelegateCall", "instr_args": {"delegate_index": 0, "args": [0, 1]}})",
      "", "[0, 64]");
  const std::string none = R"("delegates": [])";
  json.replace(json.find(none), none.size(),
               R"("delegates": [{"id": "Nobody", "processed": {"location": "INLINE", "index": 0},
                  "compile_specs": []}])");
  json.replace(json.rfind('}'), 1, R"(, "backend_delegate_data": [{"data": [1, 2, 3]}]})");
  Runner runner(json);
  EXPECT_EQ(runner.load(), Status::kNotFound);
  EXPECT_STREQ(
      runner.text(),
      "method forward: unknown delegate Nobody: build with its backend "
      "(docs/write_a_backend.md) and hand it to Method::load, or compile the model without "
      "it; backends here: none");
}

class Recorder : public EventSink {
 public:
  void begin_instruction(const EventSource& source) override {
    text += std::string(source.name) + "@" + std::to_string(source.instruction) + "(";
  }
  void end_instruction(const EventSource&) override { text += ")"; }
  void value(const EventSource&, uint32_t index, const Value& value) override {
    text += std::to_string(index) + "=" +
            std::to_string(value.as_tensor()->data<float>()[0]).substr(0, 1);
  }
  bool wants_values() const override { return true; }
  std::string text;
};

TEST(Method, TellsTheSinkWhatItDoes) {
  Recorder recorder;
  Runner runner(add_program());
  runner.options_.events = &recorder;
  runner.arena_bytes_ += 64;
  ASSERT_EQ(runner.load(), Status::kOk) << runner.text();
  ASSERT_EQ(runner.set(0, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(runner.set(1, {2, 3}, kOnes), Status::kOk);
  ASSERT_EQ(runner.method.execute(), Status::kOk);
  EXPECT_EQ(recorder.text, "aten::add.out@0(0=2)");
}

}  // namespace
}  // namespace cresset
