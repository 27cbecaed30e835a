// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/registry.h"
#include "tests/conformance/run_case.h"
#include "tests/integer/random_cases.h"
#include "tests/integer/reference.h"

namespace cresset::tests {
namespace {

// Whatever computes integer rows, by name: each must give the reference's bits.
struct Implementation {
  const char* name;
  std::string (*run)(const std::string& row, const data::OperatorCase& call);  // what is wrong
};

std::string run_kernel(ops::KernelTables tables, const std::string& row,
                       const data::OperatorCase& call) {
  const ops::OpInfo* const op = ops::find_op("cresset::" + row, "");
  const ops::Kernel* const kernel =
      op == nullptr
          ? nullptr
          : ops::find_kernel(tables, std::string(op->name).c_str(), std::string(op->out).c_str());
  Stopwatch watch(1);
  return kernel == nullptr ? "no kernel" : run_case(*op, *kernel, call, &watch);
}

constexpr Implementation kImplementations[] = {
    {"portable", [](const std::string& row, const data::OperatorCase& call) {
       const ops::KernelTable table = kernels::portable_kernels();
       return run_kernel({&table, 1}, row, call);
     }}};

TEST(IntegerRows, GiveTheBitsOfTheReference) {
  constexpr size_t kCases = 400;
  for (const std::string& row : integer_rows()) {
    const auto cases = random_integer_cases(row, 20261129, kCases);
    for (const Implementation& implementation : kImplementations) {
      size_t wrong = 0;
      for (size_t i = 0; i < cases.size() && wrong < 3; ++i) {
        const std::string why = implementation.run(row, cases[i]);
        EXPECT_EQ(why, "") << row << "#" << i << " on " << implementation.name;
        wrong += why.empty() ? 0 : 1;
      }
    }
  }
}

// Enough elements are at neither end of their range for the comparison to mean something.
TEST(IntegerRows, RandomCasesUseTheRange) {
  for (const std::string& row : integer_rows()) {
    int64_t inside = 0, all = 0;
    for (const data::OperatorCase& call : random_integer_cases(row, 1, 200)) {
      const auto values = call.outs[0].get<data::HostTensor>()->converted(DType::kInt64);
      const auto* const first = values.data<int64_t>();
      const auto [low, high] = std::minmax_element(first, first + values.numel());
      for (int64_t i = 0; i < values.numel(); ++i) {
        inside += first[i] != *low && first[i] != *high;
        ++all;
      }
    }
    EXPECT_GT(inside * 4, all) << row;
  }
}

// pytorch/ holds what PyTorch 2.13 gives for the float operators between dequantize_per_tensor and
// quantize_per_tensor. Elementwise rows in the form `float` are exactly that; where PyTorch sums
// floats and we integers, a result near the middle of two steps may be one step off.
TEST(IntegerRows, AreWhatPyTorchGives) {
  const std::string folder = std::string(CRESSET_SOURCE_DIR) + "/tests/integer/pytorch/";
  for (const std::string& row : integer_rows()) {
    const bool exact = row == "qadd" || row == "qmul" || row == "requantize";
    if (row == "qlookup" || row == "qsoftmax") {
      continue;
    }
    const auto cases = data::read_operator_cases(folder + row + ".safetensors");
    ASSERT_TRUE(cases.ok()) << cases.error().text;
    int64_t all = 0, off = 0;
    for (const data::OperatorCase& call : *cases) {
      const auto want = call.outs[0].get<data::HostTensor>()->converted(DType::kInt64);
      const auto got = integer_reference(row, call).converted(DType::kInt64);
      ASSERT_EQ(got.sizes(), want.sizes()) << row;
      for (int64_t i = 0; i < want.numel(); ++i) {
        const int64_t steps = got.data<int64_t>()[i] - want.data<int64_t>()[i];
        ASSERT_LE(std::abs(steps), exact ? 0 : 1) << row << " " << i;
        ++all;
        off += steps != 0;
      }
    }
    EXPECT_GT(all, 50) << row;
    EXPECT_LE(off * 20, all) << row;
    RecordProperty(row, std::to_string(off) + " of " + std::to_string(all));
  }
}

// Dot products of 255 and 127 or -128 in uint8 and int8: no sum is cut on its way.
TEST(IntegerRows, DotProductsOfTheGreatestNumbers) {
  for (const int32_t depth : {63, 64, 65, 1024}) {
    for (const int8_t factor : {int8_t{127}, int8_t{-128}}) {
      const int32_t sum = 255 * factor * depth;
      data::HostTensor x(DType::kUInt8, {1, depth}), weight(DType::kInt8, {2, depth});
      std::fill_n(x.mutable_data<uint8_t>(), depth, uint8_t{255});
      std::fill_n(weight.mutable_data<int8_t>(), 2 * depth, factor);
      data::HostTensor bias(DType::kInt32, {2}), scale(DType::kInt32, {1}),
          shift(DType::kInt8, {1});
      bias.mutable_data<int32_t>()[0] = 77 - sum;  // y[0] = 77, y[1] = -1 to the last bit
      bias.mutable_data<int32_t>()[1] = -1 - sum;
      scale.mutable_data<int32_t>()[0] = 1 << 30;
      shift.mutable_data<int8_t>()[0] = 30;
      data::HostTensor y(DType::kInt8, {1, 2});
      y.mutable_data<int8_t>()[0] = 77;
      y.mutable_data<int8_t>()[1] = -1;
      data::OperatorCase call;
      call.args = {{x},          {weight},        {bias},         {scale},
                   {shift},      {1.0},           {int64_t{0}},   {1.0},
                   {int64_t{0}}, {int64_t{-128}}, {int64_t{127}}, {DType::kInt8}};
      call.outs = {{y}};
      for (const Implementation& implementation : kImplementations) {
        EXPECT_EQ(implementation.run("qlinear", call), "") << implementation.name << " " << depth;
      }
    }
  }
}

// What rules and kernels must refuse, with the text that names the fault.
TEST(IntegerRows, RefuseWhatDoesNotFit) {
  struct Change {
    size_t arg;
    data::HostValue value;
    const char* why;
  };
  const Change kChanges[] = {
      {0,
       {data::HostTensor(DType::kFloat32, {1, 4, 3, 3})},
       "x must be int8 or uint8, got float32"},
      {0, {data::HostTensor(DType::kInt8, {4, 3, 3})}, "x must have 4 dimensions, got 3"},
      {1, {data::HostTensor(DType::kUInt8, {6, 4, 1, 1})}, "weight must be int8, got uint8"},
      {1,
       {data::HostTensor(DType::kInt8, {6, 3, 1, 1})},
       "channels of x, and of weight times groups"},
      {2, {data::HostTensor(DType::kFloat32, {6})}, "bias must be int32, got float32"},
      {2, {data::HostTensor(DType::kInt32, {5})}, "size of bias and output channels: 5 and 6"},
      {3, {data::HostTensor(DType::kFloat64, {6})}, "scale must be float32, int32 or int16"},
      {3, {data::HostTensor(DType::kFloat32, {4})}, "size of scale and output channels: 4 and 6"},
      {3, {data::HostTensor(DType::kInt32, {6})}, "shift must be int8 where scale is int32"},
      {4, {data::HostTensor(DType::kInt8, {6})}, "shift must be None where scale is float32"},
      {6, {int64_t{300}}, "zero point 300 of x is out of the range of int8"},
      {7, {0.0}, "y_scale must be positive, got 0"},
      {8, {int64_t{-129}}, "zero point -129 of the output is out of the range of int8"},
      {9, {int64_t{128}}, "y_min 128 and y_max 127 are no range within int8"},
      {14, {int64_t{4}}, "groups 4 must divide the 6 filters of weight"},
      {15, {DType::kInt32}, "the dtype of the output must be int8, uint8 or int16, got int32"}};
  for (const Change& change : kChanges) {
    data::OperatorCase call;
    const data::HostValue one{data::HostValue::List{{int64_t{1}}}};
    const data::HostValue none{data::HostValue::List{{int64_t{0}}}};
    call.args = {{data::HostTensor(DType::kInt8, {1, 4, 3, 3})},
                 {data::HostTensor(DType::kInt8, {6, 4, 1, 1})},
                 {},
                 {data::HostTensor(DType::kFloat32, {6})},
                 {},
                 {1.0},
                 {int64_t{0}},
                 {1.0},
                 {int64_t{0}},
                 {int64_t{-128}},
                 {int64_t{127}},
                 one,
                 none,
                 one,
                 {int64_t{1}},
                 {}};
    call.outs = {{data::HostTensor(DType::kInt8, {1, 6, 3, 3})}};
    ASSERT_EQ(kImplementations[0].run("qconv2d", call), "");
    call.args[change.arg] = change.value;
    const std::string why = kImplementations[0].run("qconv2d", call);
    EXPECT_NE(why.find(change.why), std::string::npos) << why;
  }
}

TEST(IntegerRows, ShiftsAreData) {
  data::HostTensor scale(DType::kInt32, {1}), shift(DType::kInt8, {1});
  data::OperatorCase call;
  call.args = {{data::HostTensor(DType::kInt8, {2, 3})},
               {data::HostTensor(DType::kInt8, {4, 3})},
               {},
               {scale},
               {shift},
               {1.0},
               {int64_t{0}},
               {1.0},
               {int64_t{0}},
               {int64_t{-128}},
               {int64_t{127}},
               {}};
  call.outs = {{data::HostTensor(DType::kInt8, {2, 4})}};
  EXPECT_NE(kImplementations[0].run("qlinear", call).find("shift of channel 0 must be in [1, 62]"),
            std::string::npos);
  call.args[4].get<data::HostTensor>()->mutable_data<int8_t>()[0] = 40;
  EXPECT_EQ(kImplementations[0].run("qlinear", call), "");
  call.args[3].get<data::HostTensor>()->mutable_data<int32_t>()[0] = -1;
  EXPECT_NE(kImplementations[0].run("qlinear", call).find("scale[0] must not be negative, got -1"),
            std::string::npos);
}

}  // namespace
}  // namespace cresset::tests
