// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/pipeline.h"
#include "extensions/data/host_value.h"

namespace cresset::tests {

using Values = std::vector<data::HostValue>;

// What the compiler makes of the text of a graph (compiler/ir/parse.h).
ir::Expected<compiler::CompileResult> compile_text(const std::string& text);

// A program compiled from the text of a graph, whose memory holds 0xA5 before each run, state and
// inputs excepted: a value that nobody wrote shows. A text that does not compile fails the test,
// and every run gives an error.
class Compiled {
 public:
  explicit Compiled(const std::string& text);
  ~Compiled();

  // The outputs; empty, with error() set, where the run is refused.
  Values run(const Values& inputs);
  const std::string& error() const { return error_; }
  const std::vector<uint8_t>& program() const { return compiled_.program; }
  // State as it is in a program just loaded.
  void reload();

 private:
  struct Loaded;

  compiler::CompileResult compiled_;
  std::unique_ptr<Loaded> loaded_;
  std::string error_;
};

// Tensors of consecutive values (row-major) from `first` in steps of `step`.
data::HostValue iota(std::vector<int32_t> sizes, double first = 0, double step = 1,
                     DType dtype = DType::kFloat32);
// Element i (row-major) is ((7 i mod m) - floor(m / 2)) / d.
data::HostValue pattern(std::vector<int32_t> sizes, int m = 11, int d = 4);
data::HostValue tensor(std::vector<int32_t> sizes, const std::vector<double>& row_major,
                       DType dtype = DType::kFloat32);
// The same logical values, stored channels-last.
data::HostValue channels_last(const data::HostValue& value);

std::vector<int32_t> sizes(const data::HostValue& value);
// Elements in row-major order.
std::vector<double> numbers(const data::HostValue& value);
// numbers(), the first n of them.
std::vector<double> first(const data::HostValue& value, size_t n);
double sum(const data::HostValue& value);
// The sum of (i + 1) times element i, row-major.
double weighted_sum(const data::HostValue& value);

// Whether a value has these elements, each within 1e-6 + 1e-5 of its size; and whether it has this
// sum and weighted sum, each within the same.
testing::AssertionResult near(const data::HostValue& value, const std::vector<double>& want);
testing::AssertionResult sums_near(const data::HostValue& value, double sum, double weighted);

// Whether a message contains `part`.
testing::AssertionResult says(const std::string& message, const std::string& part);

}  // namespace cresset::tests
