// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/user_cases/compiled.h"

#include <gtest/gtest.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "compiler/ir/parse.h"
#include "compiler/pipeline.h"
#include "kernels/registry.h"

namespace cresset::tests {

namespace {

using data::HostTensor;
using data::HostValue;

ModuleOptions module_options() {
  ModuleOptions options;
  options.kernels = {kernels::portable_kernels()};
  return options;
}

// Memory from the heap holds 0xA5.
void poison_memory() {
#ifdef __GLIBC__
  mallopt(M_PERTURB, 0x5A);
#endif
}

template <class T>
void fill(HostTensor* tensor, const std::vector<double>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    tensor->mutable_data<T>()[i] = static_cast<T>(values[i]);
  }
}

template <class T>
std::vector<double> as_doubles(const HostTensor& tensor) {
  std::vector<T> row_major(static_cast<size_t>(tensor.numel()));
  tensor.copy_row_major({reinterpret_cast<uint8_t*>(row_major.data()), tensor.size_bytes()});
  return {row_major.begin(), row_major.end()};
}

size_t count(const std::vector<int32_t>& sizes) {
  size_t n = 1;
  for (const int32_t size : sizes) {
    n *= static_cast<size_t>(size);
  }
  return n;
}

}  // namespace

Compiled::Compiled(const std::string& text) {
  auto graph = ir::parse_graph(text);
  if (!graph.ok()) {
    ADD_FAILURE() << graph.error().text;
    return;
  }
  compiler::CompileOptions options;
  options.kernels = kernels::host_kernels();
  options.verify = true;
  auto result = compiler::compile({*graph}, options);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().text;
    return;
  }
  program_ = std::move(result->program);
  reload();
}

void Compiled::reload() {
  poison_memory();
  auto module = Module::from_bytes(data::FileBytes::own(program_), "test", module_options());
  if (!module.ok()) {
    ADD_FAILURE() << module.error().text;
    return;
  }
  module_ = std::move(*module);
}

Values Compiled::run(const Values& inputs) {
  error_.clear();
  if (module_ == nullptr) {
    error_ = "no program";
    return {};
  }
  auto outputs = module_->forward(inputs);
  if (!outputs.ok()) {
    error_ = outputs.error().text;
    return {};
  }
  return std::move(*outputs);
}

HostValue tensor(std::vector<int32_t> sizes, const std::vector<double>& row_major, DType dtype) {
  HostTensor tensor(dtype, std::move(sizes));
  switch (dtype) {
    case DType::kFloat32:
      fill<float>(&tensor, row_major);
      break;
    case DType::kInt64:
      fill<int64_t>(&tensor, row_major);
      break;
    default:
      fill<bool>(&tensor, row_major);
  }
  return {std::move(tensor)};
}

HostValue iota(std::vector<int32_t> sizes, double first, double step, DType dtype) {
  std::vector<double> values(count(sizes));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = first + step * static_cast<double>(i);
  }
  return tensor(std::move(sizes), values, dtype);
}

HostValue pattern(std::vector<int32_t> sizes, int m, int d) {
  std::vector<double> values(count(sizes));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(static_cast<int>(7 * i) % m - m / 2) / d;
  }
  return tensor(std::move(sizes), values, DType::kFloat32);
}

HostValue channels_last(const HostValue& value) {
  return {value.get<HostTensor>()->reordered({0, 2, 3, 1})};
}

std::vector<int32_t> sizes(const HostValue& value) { return value.get<HostTensor>()->sizes(); }

std::vector<double> numbers(const HostValue& value) {
  const HostTensor& tensor = *value.get<HostTensor>();
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return as_doubles<float>(tensor);
    case DType::kInt64:
      return as_doubles<int64_t>(tensor);
    default:
      ADD_FAILURE() << data::describe(value);
      return {};
  }
}

double sum(const HostValue& value) {
  double total = 0;
  for (const double x : numbers(value)) {
    total += x;
  }
  return total;
}

double weighted_sum(const HostValue& value) {
  double total = 0, i = 0;
  for (const double x : numbers(value)) {
    total += ++i * x;
  }
  return total;
}

testing::AssertionResult says(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "'" << message << "' does not say '" << part << "'";
}

}  // namespace cresset::tests
