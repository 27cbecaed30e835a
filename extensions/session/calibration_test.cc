// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/session/calibration.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "compiler/ir/parse.h"
#include "extensions/data/npy.h"
#include "extensions/data/safetensors.h"

namespace cresset {
namespace {

namespace fs = std::filesystem;

class CalibrationFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("cresset_calibration_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    one_ = parsed("graph forward(%x: f32[1, 2]) {\n  %y = exp(%x)\n  return %y\n}");
    two_ = parsed("graph forward(%a: f32[2], %b: i64[1]) {\n  %y = exp(%a)\n  return %y, %b\n}");
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::shared_ptr<ir::Graph> parsed(const std::string& text) {
    const auto graph = ir::parse_graph(text);
    EXPECT_TRUE(graph.ok()) << graph.error().text;
    return graph.ok() ? *graph : std::make_shared<ir::Graph>();
  }

  std::string write(const std::string& name, const Expected<std::string>& bytes) {
    EXPECT_TRUE(bytes.ok());
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << *bytes;
    return path.string();
  }

  static data::HostTensor ramp(DType dtype, std::vector<int32_t> sizes) {
    data::HostTensor tensor(DType::kFloat32, std::move(sizes));
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      tensor.mutable_data<float>()[i] = static_cast<float>(i);
    }
    return tensor.converted(dtype);
  }

  static std::vector<float> floats(const eval::Datum& datum) {
    const ir::ConstantPtr& tensor = eval::tensor_of(datum);
    const float* const x = reinterpret_cast<const float*>(tensor->bytes);
    return {x, x + tensor->size_bytes / sizeof(float)};
  }

  fs::path folder_;
  std::shared_ptr<ir::Graph> one_, two_;
};

TEST_F(CalibrationFiles, CutArraysIntoSamples) {
  // Three of [1, 2], as bytes; by any name where there is but one input.
  const std::string file = write("x.npy", data::to_npy(ramp(DType::kUInt8, {3, 2})));
  const auto along_batch = read_calibration(*one_, {file});
  ASSERT_TRUE(along_batch.ok()) << along_batch.error().text;
  ASSERT_EQ(along_batch->samples.size(), 3u);
  EXPECT_EQ(floats(along_batch->samples[2][0]), (std::vector<float>{4, 5}));

  std::vector<data::NamedTensor> arrays;
  arrays.push_back({"whatever", ramp(DType::kFloat32, {4, 1, 2})});
  const auto along_new = read_calibration(*one_, {write("x.npz", data::to_npz(arrays)), file});
  ASSERT_TRUE(along_new.ok()) << along_new.error().text;
  EXPECT_EQ(along_new->samples.size(), 7u);
}

TEST_F(CalibrationFiles, FindInputsByName) {
  std::vector<data::NamedTensor> arrays;
  arrays.push_back({"b", ramp(DType::kInt64, {1})});
  arrays.push_back({"a", ramp(DType::kFloat32, {5, 2})});
  const auto read =
      read_calibration(*two_, {write("ab.safetensors", data::to_safetensors(arrays))});
  ASSERT_TRUE(read.ok()) << read.error().text;
  ASSERT_EQ(read->samples.size(), 5u);  // b is the same in each
  EXPECT_EQ(floats(read->samples[1][0]), (std::vector<float>{2, 3}));
}

TEST_F(CalibrationFiles, ReadFoldersInTheOrderOfNames) {
  write("2.npy", data::to_npy(ramp(DType::kFloat32, {1, 2})));
  write("1.npy", data::to_npy(ramp(DType::kFloat32, {2, 1, 2})));
  const auto read = read_calibration(*one_, {folder_.string()});
  ASSERT_TRUE(read.ok()) << read.error().text;
  ASSERT_EQ(read->samples.size(), 3u);
  EXPECT_EQ(floats(read->samples[1][0]), (std::vector<float>{2, 3}));
}

TEST_F(CalibrationFiles, RandomIsMarkedSo) {
  const auto read = read_calibration(*one_, {"random"});
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->random);
  EXPECT_GT(read->samples.size(), 1u);
}

TEST_F(CalibrationFiles, SayWhatIsWrong) {
  const auto text = [&](const ir::Graph& graph, const std::string& source) {
    const auto read = read_calibration(graph, {source});
    return read.ok() ? std::string("accepted") : read.error().text;
  };
  const std::string wide = write("wide.npy", data::to_npy(ramp(DType::kFloat32, {1, 3})));
  EXPECT_NE(text(*one_, wide).find("neither one nor several of [1, 2]"), std::string::npos)
      << text(*one_, wide);
  EXPECT_NE(text(*two_, wide).find("has 2 tensor inputs"), std::string::npos);
  std::vector<data::NamedTensor> arrays;
  arrays.push_back({"a", ramp(DType::kFloat32, {2})});
  const std::string partly = write("a.npz", data::to_npz(arrays));
  EXPECT_NE(text(*two_, partly).find("no array is named 'b'; there are 'a'"), std::string::npos);
  const std::string empty = write("empty.npz", data::to_npz({}));
  EXPECT_NE(text(*two_, empty).find("there are none"), std::string::npos) << text(*two_, empty);
  EXPECT_NE(text(*one_, (folder_ / "nothing.npz").string()), "accepted");
  fs::create_directories(folder_ / "empty");
  EXPECT_NE(text(*one_, (folder_ / "empty").string()).find("the folder is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace cresset
