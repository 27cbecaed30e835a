// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/program.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "extensions/data/file_bytes.h"
#include "extensions/data/memory_loader.h"
#include "runtime/bundled_program.h"
#include "runtime/flat_tensor_map.h"

// Programs that ExecuTorch wrote, good and damaged.

namespace cresset {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

fs::path corpus() {
  const char* variable = std::getenv("CRESSET_CORPUS");
  return fs::path(variable != nullptr ? variable : CRESSET_CORPUS_DIR) / "executorch";
}

// Bytes of a file at a 64-byte boundary, plus `shift`.
class File {
 public:
  explicit File(const fs::path& path, size_t shift = 0) : shift_(shift) {
    auto bytes = data::FileBytes::open(path.string());
    EXPECT_TRUE(bytes.ok());
    if (bytes.ok()) {
      assign(bytes->bytes());
    }
  }
  explicit File(Span<const uint8_t> bytes) : shift_(0) { assign(bytes); }

  Span<uint8_t> bytes() { return {start_, size_}; }

 private:
  void assign(Span<const uint8_t> bytes) {
    size_ = bytes.size();
    storage_.resize(size_ + 128);
    const uintptr_t base = reinterpret_cast<uintptr_t>(storage_.data());
    start_ = storage_.data() + (64 - base % 64) % 64 + shift_;
    std::copy(bytes.begin(), bytes.end(), start_);
  }

  size_t shift_;
  size_t size_ = 0;
  std::vector<uint8_t> storage_;
  uint8_t* start_ = nullptr;
};

const std::map<std::string, DType>& dtypes() {
  static const std::map<std::string, DType> table = {
      {"BYTE", DType::kUInt8},        {"CHAR", DType::kInt8},      {"SHORT", DType::kInt16},
      {"INT", DType::kInt32},         {"LONG", DType::kInt64},     {"HALF", DType::kFloat16},
      {"FLOAT", DType::kFloat32},     {"DOUBLE", DType::kFloat64}, {"BOOL", DType::kBool},
      {"BFLOAT16", DType::kBFloat16}, {"UINT16", DType::kUInt16}};
  return table;
}

void expect_tensor(const TensorInfo& info, const dom::element& json) {
  const std::string dtype{std::string_view(json["dtype"])};
  ASSERT_TRUE(dtypes().count(dtype)) << dtype;
  EXPECT_EQ(info.dtype, dtypes().at(dtype));
  std::vector<int64_t> sizes;
  for (int64_t size : dom::array(json["sizes"])) {
    sizes.push_back(size);
  }
  EXPECT_EQ(std::vector<int64_t>(info.sizes.begin(), info.sizes.end()), sizes);
  std::vector<int64_t> order;
  for (int64_t dim : dom::array(json["dim_order"])) {
    order.push_back(dim);
  }
  EXPECT_EQ(std::vector<int64_t>(info.dim_order.begin(), info.dim_order.end()), order);
  EXPECT_EQ(info.dynamism == Dynamism::kStatic, std::string_view(json["dynamism"]) == "STATIC");
  EXPECT_EQ(info.planned, bool(json["planned"]));
}

void expect_method(const MethodMeta& meta, const dom::element& json) {
  const dom::array inputs = json["inputs"];
  const dom::array outputs = json["outputs"];
  ASSERT_EQ(meta.input_count(), inputs.size());
  ASSERT_EQ(meta.output_count(), outputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (meta.input_kind(i) == Value::Kind::kTensor) {
      expect_tensor(meta.input(i), inputs.at(i));
    } else {
      EXPECT_EQ(inputs.at(i)["dtype"].error(), simdjson::NO_SUCH_FIELD);
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (meta.output_kind(i) == Value::Kind::kTensor) {
      expect_tensor(meta.output(i), outputs.at(i));
    }
  }
  const dom::array arenas = json["arenas"];
  ASSERT_EQ(meta.planned_buffer_count() + 1, std::max<size_t>(arenas.size(), 1));
  for (size_t i = 1; i < arenas.size(); ++i) {
    EXPECT_EQ(meta.planned_buffer_bytes(i - 1), uint64_t(arenas.at(i)));
  }
  uint64_t instructions = 0;
  for (const auto& entry : dom::object(json["instructions"])) {
    instructions += uint64_t(entry.value);
  }
  EXPECT_EQ(meta.instruction_count(), instructions);
  EXPECT_EQ(meta.value_count(), uint64_t(json["values"]));
  const dom::object operators = json["operators"];
  for (size_t i = 0; i < meta.operator_count(); ++i) {
    const std::string overload = meta.operator_overload(i);
    const std::string name = meta.operator_name(i) + (overload.empty() ? "" : "." + overload);
    EXPECT_EQ(operators[name].error(), simdjson::SUCCESS) << name;
  }
}

TEST(Program, ReadsWhatExecuTorchWrote) {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(corpus())) {
    if (!fs::exists(entry.path() / "model.pte")) {
      continue;
    }
    SCOPED_TRACE(entry.path().filename().string());
    File file(entry.path() / "model.pte");
    MemoryLoader loader(file.bytes());
    MessageBuffer<256> message;
    Program program;
    ASSERT_EQ(program.load(loader, message), Status::kOk) << message.text();
    dom::parser parser;
    dom::element json;
    ASSERT_EQ(parser.load((entry.path() / "meta.json").string()).get(json), simdjson::SUCCESS);
    const dom::object methods = json["methods"];
    ASSERT_EQ(program.method_count(), methods.size());
    for (size_t i = 0; i < program.method_count(); ++i) {
      SCOPED_TRACE(program.method_name(i));
      expect_method(program.method_meta(i), methods[program.method_name(i)]);
    }
    ASSERT_EQ(program.count(), dom::array(json["named_data"]).size());
    for (size_t i = 0; i < program.count(); ++i) {
      EXPECT_TRUE(program.find(program.key(i)).ok());
    }
    ++count;
  }
  EXPECT_GE(count, 90u);
}

TEST(Program, ReadsDataFiles) {
  size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(corpus())) {
    if (entry.path().extension() != ".ptd" || entry.path().parent_path().filename() == "damaged") {
      continue;
    }
    SCOPED_TRACE(entry.path().string());
    File file(entry.path());
    MemoryLoader loader(file.bytes());
    MessageBuffer<256> message;
    FlatTensorMap map;
    ASSERT_EQ(map.load(loader, message), Status::kOk) << message.text();
    EXPECT_GT(map.count(), 0u);
    for (size_t i = 0; i < map.count(); ++i) {
      const auto datum = map.find(map.key(i));
      ASSERT_TRUE(datum.ok());
      EXPECT_GT(datum->data.size(), 0u);
    }
    EXPECT_EQ(map.find("no such key").status(), Status::kNotFound);
    const NamedDataMap* twice[] = {&map, &map};
    EXPECT_EQ(JoinedDataMap(Span<const NamedDataMap* const>(twice)).check(message),
              Status::kInvalidExternalData);
    ++count;
  }
  EXPECT_GE(count, 3u);
}

// Loads whatever the bytes are, as an application would.
Status load_any(Span<const uint8_t> bytes, const std::string& extension, Message& message) {
  MemoryLoader loader(bytes);
  if (extension == ".ptd") {
    FlatTensorMap map;
    return map.load(loader, message);
  }
  Program program;
  if (extension == ".bpte") {
    BundledRange range;
    CRESSET_TRY(find_bundled_program(loader, &range, message));
    SliceLoader slice(loader, range.offset, range.size);
    return program.load(slice, message);
  }
  return program.load(loader, message);
}

TEST(Program, FindsTheProgramOfABundle) {
  for (const char* name : {"bp_dtypes", "bp_two_methods"}) {
    File file(corpus() / name / "model.bpte");
    MessageBuffer<256> message;
    EXPECT_TRUE(is_bundled_program(file.bytes().data(), file.bytes().size()));
    EXPECT_EQ(load_any(file.bytes(), ".bpte", message), Status::kOk) << message.text();
  }
}

TEST(Program, RefusesDamagedFiles) {
  // What only kernels, memory or backends can judge.
  const std::vector<std::string> later = {"kernel_arity.pte",     "jump_cycle.pte",
                                          "arena_huge.pte",       "missing_operator.pte",
                                          "delegate_unknown.pte", "xnn_blob_magic.pte"};
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(corpus() / "damaged")) {
    const std::string name = entry.path().filename().string();
    const std::string extension = entry.path().extension().string();
    if (extension != ".pte" && extension != ".ptd" && extension != ".bpte") {
      continue;
    }
    SCOPED_TRACE(name);
    File file(entry.path());
    MessageBuffer<256> message;
    const Status status = load_any(file.bytes(), extension, message);
    if (std::find(later.begin(), later.end(), name) != later.end()) {
      EXPECT_EQ(status, Status::kOk) << message.text();
    } else {
      EXPECT_NE(status, Status::kOk);
      EXPECT_GT(message.length(), 0u);
    }
    ++count;
  }
  EXPECT_GE(count, 32u);
}

TEST(Program, SurvivesEveryTruncationAndByte) {
  for (const char* name : {"p_cond/model.pte", "p_ptd_all/_default_external_constant.ptd",
                           "bp_two_methods/model.bpte", "p_state_init/model.pte"}) {
    SCOPED_TRACE(name);
    const fs::path path = corpus() / name;
    const std::string extension = path.extension().string();
    File good(path);
    MessageBuffer<256> message;
    ASSERT_EQ(load_any(good.bytes(), extension, message), Status::kOk);
    for (size_t size = 0; size < good.bytes().size(); ++size) {
      File cut(good.bytes().subspan(0, size));
      (void)load_any(cut.bytes(), extension, message);
    }
    File bad(good.bytes());
    for (size_t i = 0; i < good.bytes().size(); ++i) {
      const uint8_t byte = good.bytes()[i];
      for (const uint8_t other : {uint8_t{0}, uint8_t{0xff}, uint8_t(byte ^ 0x80)}) {
        bad.bytes()[i] = other;
        (void)load_any(bad.bytes(), extension, message);
      }
      bad.bytes()[i] = byte;
    }
  }
}

TEST(Program, RefusesMemoryThatIsNotAligned) {
  File file(corpus() / "p_cond" / "model.pte", 1);
  MessageBuffer<256> message;
  EXPECT_EQ(load_any(file.bytes(), ".pte", message), Status::kInvalidArgument);
  EXPECT_STREQ(message.text(), "the program does not start at a multiple of 16");
}

TEST(Program, SaysWhatIsWrong) {
  const std::vector<std::pair<const char*, const char*>> expected = {
      {"wrong_magic_version.pte", "not a program: identifier \"ET99\", expected \"ET12\""},
      {"zero_size.pte", "0 bytes are no program"},
      {"truncated_segment.pte", "extended header: segments reach beyond the end of the file"},
      {"dim_order_duplicate.pte", "dim order [0, 0] is no permutation"},
      {"memory_offset_beyond_arena.pte", "bytes at 1000000 reach beyond planned buffer 1"},
      {"op_index_out_of_range.pte", "operator 1000 of"},
      {"value_index_out_of_range.pte", "names value"},
      {"jump_out_of_range.pte", "jumps to 9999 of"},
      {"input_index_out_of_range.pte", "input 0 names value 4242"},
      {"delegate_segment_index.pte", "its data is segment 40 of"},
  };
  for (const auto& [name, text] : expected) {
    File file(corpus() / "damaged" / name);
    MessageBuffer<256> message;
    EXPECT_NE(load_any(file.bytes(), ".pte", message), Status::kOk);
    EXPECT_NE(std::string(message.text()).find(text), std::string::npos)
        << name << ": " << message.text();
  }
}

}  // namespace
}  // namespace cresset
