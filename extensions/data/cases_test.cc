// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "extensions/data/safetensors.h"

namespace cresset::data {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

template <class T>
HostValue tensor(std::vector<T> elements, std::vector<int32_t> sizes = {}) {
  if (sizes.empty()) {
    sizes = {static_cast<int32_t>(elements.size())};
  }
  HostTensor result(kDTypeOf<T>, sizes);
  std::memcpy(result.mutable_bytes().data(), elements.data(), result.size_bytes());
  return {std::move(result)};
}

std::string why(const HostValue& got, const HostValue& want, Tolerance tolerance = {}) {
  return mismatch(got, want, tolerance).value_or("");
}

TEST(Compare, NamesTheWorstElement) {
  EXPECT_EQ(why(tensor<float>({1, 2.5f, 3, 4}, {2, 2}), tensor<float>({1, 2, 3, 4.25f}, {2, 2})),
            "2 of 4 elements differ, worst at [0, 1]: got 2.5, want 2");
  EXPECT_EQ(
      why(tensor<int64_t>({1, (int64_t{1} << 60) + 1}), tensor<int64_t>({1, int64_t{1} << 60})),
      "1 of 2 elements differ, worst at [1]: got 1152921504606846977, want "
      "1152921504606846976");
  EXPECT_EQ(why(tensor<float>({1}), tensor<double>({1})), "got float32 [1], want float64 [1]");
  EXPECT_EQ(why(tensor<float>({1}, {1, 1}), tensor<float>({1})),
            "got float32 [1, 1], want float32 [1]");
  EXPECT_EQ(why({int64_t{3}}, {3.0}), "got int, want float");
}

TEST(Compare, ToleranceIsAbsolutePlusRelativeToWanted) {
  EXPECT_EQ(why(tensor<double>({10.5}), tensor<double>({10}), {0.04, 0.1}), "");
  EXPECT_NE(why(tensor<double>({10.51}), tensor<double>({10}), {0.04, 0.1}), "");
  EXPECT_EQ(why(tensor<int32_t>({1}), tensor<int32_t>({1}), {1, 1}), "");
  EXPECT_NE(why(tensor<int32_t>({2}), tensor<int32_t>({1}), {1, 1}), "");
}

TEST(Compare, SpecialNumbers) {
  EXPECT_EQ(why({kNan}, {kNan}), "");
  EXPECT_EQ(why({kInf}, {kInf}), "");
  EXPECT_NE(why({kNan}, {1.0}, {9, 9}), "");
  EXPECT_NE(why({1.0}, {kNan}, {9, 9}), "");
  EXPECT_NE(why({kInf}, {-kInf}, {9, 9}), "");
  EXPECT_NE(why({1e308}, {kInf}, {9, 9}), "");
  EXPECT_EQ(why({Complex<double>{kNan, 1}}, {Complex<double>{2, kNan}}), "");
  EXPECT_EQ(why({Complex<double>{3, 4}}, {Complex<double>{3, 4.5}}, {0.1, 0}), "");
  EXPECT_NE(why({Complex<double>{3, 4}}, {Complex<double>{3, 4.6}}, {0.1, 0}), "");
}

TEST(Compare, LogicalValuesCountNotLayout) {
  const HostValue want = tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const HostValue got{want.get<HostTensor>()->reordered({1, 0})};
  EXPECT_EQ(why(got, want), "");
}

TEST(Compare, ListsAndRandomResults) {
  const HostValue a{HostValue::List{tensor<float>({1}), HostValue{}}};
  const HostValue b{HostValue::List{tensor<float>({2}), HostValue{}}};
  EXPECT_EQ(why(a, b).substr(0, 7), "item 0:");
  EXPECT_FALSE(shape_mismatch(a, b).has_value());
  EXPECT_TRUE(shape_mismatch(a, HostValue{HostValue::List{tensor<float>({1})}}).has_value());
}

TEST(Cases, ReadsEveryKindOfValue) {
  const NamedTensor tensors[] = {{"c", *tensor<float>({1, 2, 3, 4}, {2, 2}).get<HostTensor>()}};
  const std::string json =
      R"([{"args": [null, true, 7, 1.5, {"f": "-inf"}, {"c": [1, {"f": "nan"}]}, {"s": "x"},
          {"dtype": "int8"}, {"memory_format": "channels_last"}, [1, [2]],
          {"t": "c", "dim_order": [1, 0]}, {"t": "c", "complex": true}],
          "kwargs": {"k": 3}, "outs": [1], "rtol": 0.5, "atol": 1},
         {"args": [], "kwargs": {}, "error": true, "why": "bad"}])";
  const std::string path =
      (std::filesystem::temp_directory_path() / "cresset_cases_test.safetensors").string();
  ASSERT_TRUE(write_file(path, *to_safetensors(tensors, {{"cases", json}})).ok());
  const auto cases = read_operator_cases(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(cases.ok()) << cases.error().text;
  ASSERT_EQ(cases->size(), 2u);
  const OperatorCase& first = (*cases)[0];
  std::string all;
  for (const HostValue& arg : first.args) {
    all += to_text(arg, 9) + "; ";
  }
  EXPECT_EQ(all,
            "None; true; 7; 1.5; -inf; 1+nanj; \"x\"; int8; channels_last; [1, [2]]; "
            "float32 [2, 2] order [1, 0]  [1, 2, 3, 4]; complex64 [2]  [1+2j, 3+4j]; ");
  EXPECT_EQ(first.kwargs[0].first, "k");
  EXPECT_EQ(first.expect.tolerance.rtol, 0.5);
  EXPECT_TRUE((*cases)[1].expect.error);
  EXPECT_EQ((*cases)[1].expect.why, "bad");
}

TEST(Cases, MalformedCasesAreRefused) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "cresset_bad_cases_test.safetensors").string();
  for (const char* json :
       {"", "{}", "[3]", R"([{"args": [{"t": "missing"}]}])", R"([{"args": [{"f": "many"}]}])",
        R"([{"args": [{"c": [1]}]}])", R"([{"args": [{"dtype": "float9"}]}])",
        R"([{"args": [{}]}])", R"([{"args": ["text"]}])", R"([{"args": 3}])",
        R"([{"args": [{"t": "x", "dim_order": [0, 0]}]}])",
        R"([{"args": [{"t": "x", "dim_order": [0, -1]}]}])",
        R"([{"args": [{"t": "x", "complex": true}]}])"}) {
    const NamedTensor tensors[] = {{"x", *tensor<float>({1, 2, 3}, {1, 3}).get<HostTensor>()}};
    ASSERT_TRUE(write_file(path, *to_safetensors(tensors, {{"cases", json}})).ok());
    EXPECT_FALSE(read_operator_cases(path).ok()) << json;
  }
  ASSERT_TRUE(write_file(path, *to_safetensors({})).ok());
  EXPECT_FALSE(read_operator_cases(path).ok());
  std::filesystem::remove(path);
}

TEST(Cases, ReadsTheCorpus) {
  const std::filesystem::path root(CRESSET_CORPUS_DIR);
  if (!std::filesystem::exists(root / "ops")) {
    GTEST_SKIP() << "no corpus at " << root;
  }
  size_t operator_cases = 0;
  size_t program_cases = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".safetensors") {
      continue;
    }
    const std::string path = entry.path().string();
    if (path.find("/ops/") != std::string::npos) {
      const auto cases = read_operator_cases(path);
      ASSERT_TRUE(cases.ok()) << cases.error().text;
      operator_cases += cases->size();
    } else {
      const auto cases = read_program_cases(path);
      ASSERT_TRUE(cases.ok()) << cases.error().text;
      program_cases += cases->size();
    }
  }
  EXPECT_EQ(operator_cases, 27753u);
  EXPECT_GT(program_cases, 4000u);
}

}  // namespace
}  // namespace cresset::data
