// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/user_cases/compiled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compiler/ir/parse.h"
#include "extensions/data/memory_loader.h"
#include "extensions/module/value_conversion.h"
#include "kernels/registry.h"
#include "runtime/method.h"

namespace cresset::tests {

namespace {

using data::HostTensor;
using data::HostValue;

constexpr uint8_t kPoison = 0xA5;

struct Range {
  size_t offset;
  size_t size;
};

// Memory at a multiple of 16, poisoned.
class Block {
 public:
  explicit Block(size_t size) : words_((size + 15) / 16), size_(size) { poison({}); }
  // `kept` by ascending offset.
  void poison(const std::vector<Range>& kept) {
    size_t at = 0;
    for (const Range& range : kept) {
      std::memset(bytes().data() + at, kPoison, range.offset - at);
      at = range.offset + range.size;
    }
    std::memset(bytes().data() + at, kPoison, size_ - at);
  }
  Span<uint8_t> bytes() { return {reinterpret_cast<uint8_t*>(words_.data()), size_}; }

 private:
  struct alignas(16) Word {
    uint8_t bytes[16];
  };
  std::vector<Word> words_;
  size_t size_;
};

size_t count(const std::vector<int32_t>& sizes) {
  size_t n = 1;
  for (const int32_t size : sizes) {
    n *= static_cast<size_t>(size);
  }
  return n;
}

}  // namespace

struct Compiled::Loaded {
  Block file;
  MemoryLoader loader{Span<const uint8_t>()};
  MessageBuffer<1024> message;
  Program program;
  std::vector<Block> planned;
  std::vector<std::vector<Range>> kept;  // of each: where state lies
  std::unique_ptr<Block> arena;
  std::vector<std::pair<size_t, Block>> outputs;  // those that the program does not plan
  std::vector<std::unique_ptr<RuntimeValue>> inputs;
  Method method;

  explicit Loaded(const compiler::CompileResult& compiled) : file(compiled.program.size()) {
    std::copy(compiled.program.begin(), compiled.program.end(), file.bytes().data());
    loader = MemoryLoader(file.bytes());
    const ir::Schedule& schedule = compiled.methods[0];
    kept.resize(schedule.arena_bytes.size());
    for (const ir::Register& reg : schedule.registers) {
      if (reg.storage == ir::Register::Storage::kState) {
        kept[reg.arena].push_back({reg.offset_bytes, reg.size_bytes});
      }
    }
    for (std::vector<Range>& ranges : kept) {
      std::sort(ranges.begin(), ranges.end(),
                [](const Range& a, const Range& b) { return a.offset < b.offset; });
    }
  }

  Status load() {
    CRESSET_TRY(program.load(loader, message));
    const MethodMeta meta = *program.method_meta("forward");
    for (size_t i = 0; i < meta.planned_buffer_count(); ++i) {
      planned.emplace_back(meta.planned_buffer_bytes(i));
    }
    std::vector<Span<uint8_t>> buffers;
    for (Block& block : planned) {
      buffers.push_back(block.bytes());
    }
    arena = std::make_unique<Block>(*method_arena_bytes(program, "forward"));
    MethodOptions options;
    options.kernels = kernels::host_kernels();
    CRESSET_TRY(method.load(program, "forward", {arena->bytes(), buffers}, options, message));
    inputs.resize(method.input_count());
    for (size_t i = 0; i < method.output_count(); ++i) {
      if (meta.output_kind(i) != Value::Kind::kTensor) {
        continue;
      }
      const TensorInfo info = meta.output(i);
      if (!info.planned && !info.constant && !is_input(i)) {
        outputs.emplace_back(i, Block(info.nbytes));
        CRESSET_TRY(method.set_output_memory(i, outputs.back().second.bytes().data(), info.nbytes));
      }
    }
    return Status::kOk;
  }

  // An input passed through, whose memory is the input's.
  bool is_input(size_t output) const {
    for (size_t i = 0; i < method.input_count(); ++i) {
      if (&method.input(i) == &method.output(output)) {
        return true;
      }
    }
    return false;
  }

  Status run(const Values& given) {
    for (size_t i = 0; i < planned.size(); ++i) {
      planned[i].poison(kept[i]);
    }
    for (auto& [index, block] : outputs) {
      block.poison({});
    }
    for (size_t i = 0; i < given.size(); ++i) {
      inputs[i] = std::make_unique<RuntimeValue>(given[i]);
      CRESSET_TRY(method.set_input(i, inputs[i]->value()));
    }
    return method.execute();
  }
};

ir::Expected<compiler::CompileResult> compile_text(const std::string& text) {
  auto graph = ir::parse_graph(text);
  if (!graph.ok()) {
    return graph.error();
  }
  compiler::CompileOptions options;
  options.kernels = kernels::host_kernels();
  options.verify = true;
  return compiler::compile({*graph}, options);
}

Compiled::Compiled(const std::string& text) {
  auto result = compile_text(text);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().text;
    return;
  }
  compiled_ = std::move(*result);
  reload();
}

Compiled::~Compiled() = default;

void Compiled::reload() {
  loaded_ = std::make_unique<Loaded>(compiled_);
  if (!ok(loaded_->load())) {
    ADD_FAILURE() << loaded_->message.text();
    loaded_ = nullptr;
  }
}

Values Compiled::run(const Values& inputs) {
  error_.clear();
  if (loaded_ == nullptr || inputs.size() != loaded_->inputs.size()) {
    error_ = "no program, or another number of inputs";
    return {};
  }
  if (!ok(loaded_->run(inputs))) {
    error_ = loaded_->message.text();
    return {};
  }
  Values outputs;
  for (size_t i = 0; i < loaded_->method.output_count(); ++i) {
    outputs.push_back(to_host(loaded_->method.output(i)));
  }
  return outputs;
}

HostValue tensor(std::vector<int32_t> sizes, const std::vector<double>& row_major, DType dtype) {
  HostTensor tensor(DType::kFloat64, std::move(sizes));
  std::copy(row_major.begin(), row_major.end(), tensor.mutable_data<double>());
  return {tensor.converted(dtype)};
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
  const HostTensor wide = value.get<HostTensor>()->converted(DType::kFloat64);
  std::vector<double> row_major(static_cast<size_t>(wide.numel()));
  wide.copy_row_major({reinterpret_cast<uint8_t*>(row_major.data()), wide.size_bytes()});
  return row_major;
}

std::vector<double> first(const HostValue& value, size_t n) {
  std::vector<double> all = numbers(value);
  all.resize(n);
  return all;
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

testing::AssertionResult near(const HostValue& value, const std::vector<double>& want) {
  const std::vector<double> got = numbers(value);
  if (got.size() != want.size()) {
    return testing::AssertionFailure() << got.size() << " elements, want " << want.size();
  }
  for (size_t i = 0; i < got.size(); ++i) {
    if (!(std::abs(got[i] - want[i]) <= 1e-6 + 1e-5 * std::abs(want[i]))) {
      return testing::AssertionFailure() << "[" << i << "]: " << got[i] << ", want " << want[i];
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult sums_near(const HostValue& value, double sum, double weighted) {
  const double got = tests::sum(value);
  const double got_weighted = weighted_sum(value);
  if (std::abs(got - sum) <= 1e-6 + 1e-5 * std::abs(sum) &&
      std::abs(got_weighted - weighted) <= 1e-6 + 1e-5 * std::abs(weighted)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "sums " << got << " and " << got_weighted << ", want " << sum << " and " << weighted;
}

testing::AssertionResult says(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "'" << message << "' does not say '" << part << "'";
}

}  // namespace cresset::tests
